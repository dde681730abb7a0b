import { type Db, deleteInPieces, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'

export class ResetReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  /** The account of a valid link. */
  async find(digest: Buffer, now: Date): Promise<string | undefined> {
    const row = await this.db
      .selectFrom('passwordReset')
      .select('accountId')
      .where('digest', '=', digest)
      .where('expiresAt', '>', now)
      .executeTakeFirst()
    return row?.accountId
  }
}

export class ResetWriter extends ResetReader {
  async add(digest: Buffer, accountId: string, expiresAt: Date): Promise<void> {
    await this.db.insertInto('passwordReset').values({ digest, accountId, expiresAt }).execute()
  }

  /** Uses up a link and returns its account; of concurrent uses one succeeds. */
  async take(digest: Buffer, now: Date): Promise<string | undefined> {
    const row = await this.db
      .deleteFrom('passwordReset')
      .where('digest', '=', digest)
      .where('expiresAt', '>', now)
      .returning('accountId')
      .executeTakeFirst()
    return row?.accountId
  }

  async forgetOf(accountId: string): Promise<void> {
    await this.db.deleteFrom('passwordReset').where('accountId', '=', accountId).execute()
  }

  async forgetExpired(now: Date): Promise<void> {
    await deleteInPieces(this.db, 'password_reset', sql`expires_at <= ${now}`)
  }
}
