import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'

/** An app; of its secret only the SHA-256 is stored. */
export type App = {
  id: string
  /** A small number, the app's id in the API. 0 while the migration numbers existing apps. */
  number: number
  clientId: string
  secretDigest: Buffer
  name: string
  website: string
  redirectUris: string[]
  scopes: string[]
}

export type NewApp = Omit<App, 'number'> & { isOperators: boolean; createdAt: Date }

const COLUMNS = [
  'id',
  sql<number>`coalesce(number, 0)::float8`.as('number'),
  'clientId',
  'secretDigest',
  'name',
  'website',
  'redirectUris',
  'scopes',
] as const

export class AppReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async find(id: string): Promise<App | undefined> {
    return this.#present().where('id', '=', id).executeTakeFirst()
  }

  async findByClientId(clientId: string): Promise<App | undefined> {
    return this.#present().where('clientId', '=', clientId).executeTakeFirst()
  }

  async findOperators(): Promise<App | undefined> {
    return this.db.selectFrom('app').select(COLUMNS).where('isOperators', '=', true).executeTakeFirst()
  }

  /** Apps that staff have not removed. */
  #present() {
    return this.db.selectFrom('app').select(COLUMNS).where('removedAt', 'is', null)
  }
}

export class AppWriter extends AppReader {
  /** Replaces the secret of an app and returns the app. */
  async changeSecret(id: string, secretDigest: Buffer): Promise<App | undefined> {
    return this.db.updateTable('app').set({ secretDigest }).where('id', '=', id).returning(COLUMNS).executeTakeFirst()
  }

  /** Adds an app and returns it; undefined for a second operators' app, which is not added. */
  async add(app: NewApp): Promise<App | undefined> {
    const row = {
      id: app.id,
      clientId: app.clientId,
      secretDigest: app.secretDigest,
      name: app.name,
      website: app.website,
      redirectUris: app.redirectUris,
      scopes: app.scopes,
      isOperators: app.isOperators,
      createdAt: app.createdAt,
    }
    return this.db
      .insertInto('app')
      .values(row)
      .onConflict((conflict) => conflict.column('isOperators').where(sql<boolean>`is_operators`).doNothing())
      .returning(COLUMNS)
      .executeTakeFirst()
  }
}
