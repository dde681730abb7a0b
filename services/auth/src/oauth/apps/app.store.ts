import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'

/** An app; its secret is known by its SHA-256 only. */
export type App = {
  id: string
  /** Small; what the API shows as its id. 0 while numbers are being given to the apps there are. */
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

  /** Apps that staff did not remove. */
  #present() {
    return this.db.selectFrom('app').select(COLUMNS).where('removedAt', 'is', null)
  }
}

export class AppWriter extends AppReader {
  /** Gives an app another secret, and answers with it. */
  async changeSecret(id: string, secretDigest: Buffer): Promise<App | undefined> {
    return this.db.updateTable('app').set({ secretDigest }).where('id', '=', id).returning(COLUMNS).executeTakeFirst()
  }

  /** Adds an app and answers with it; a second operators' app is silently not added. */
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
