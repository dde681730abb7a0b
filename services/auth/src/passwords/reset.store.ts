import type { Db, Tx } from '@rookery/database'
import type { AuthTables } from '../database/schema.ts'

export class ResetReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  /** Whose password a link sets, while it is good. */
  async find(digest: Buffer, now: Date): Promise<string | undefined> {
    const row = await this.db
      .selectFrom('password_reset')
      .select('account_id as accountId')
      .where('digest', '=', digest)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return row?.accountId
  }
}

export class ResetWriter extends ResetReader {
  async add(digest: Buffer, accountId: string, expiresAt: Date): Promise<void> {
    await this.db.insertInto('password_reset').values({ digest, account_id: accountId, expires_at: expiresAt }).execute()
  }

  /** Uses a link up, and answers with whose it was; of several at once, one succeeds. */
  async take(digest: Buffer, now: Date): Promise<string | undefined> {
    const row = await this.db
      .deleteFrom('password_reset')
      .where('digest', '=', digest)
      .where('expires_at', '>', now)
      .returning('account_id as accountId')
      .executeTakeFirst()
    return row?.accountId
  }

  async forgetOf(accountId: string): Promise<void> {
    await this.db.deleteFrom('password_reset').where('account_id', '=', accountId).execute()
  }

  async forgetExpired(now: Date): Promise<void> {
    await this.db.deleteFrom('password_reset').where('expires_at', '<=', now).execute()
  }
}
