import { type Db, deleteInPieces, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'

/** An account and its requested new address. */
export type EmailChange = { accountId: string; email: string }

export class EmailChangeReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async find(digest: Buffer, now: Date): Promise<EmailChange | undefined> {
    return this.db
      .selectFrom('emailChange')
      .select(['accountId', 'email'])
      .where('digest', '=', digest)
      .where('expiresAt', '>', now)
      .executeTakeFirst()
  }
}

export class EmailChangeWriter extends EmailChangeReader {
  /** Stores a requested change, still without a link; replaces an earlier one. */
  async ask(change: EmailChange, expiresAt: Date): Promise<void> {
    const changing = { digest: null, email: change.email, expiresAt }
    await this.db
      .insertInto('emailChange')
      .values({ ...changing, accountId: change.accountId })
      .onConflict((conflict) => conflict.column('accountId').doUpdateSet(changing))
      .execute()
  }

  /** Stores the link of a requested change; false if there is no such request or it was cancelled. */
  async link(digest: Buffer, change: EmailChange, expiresAt: Date): Promise<boolean> {
    const linked = await this.db
      .updateTable('emailChange')
      .set({ digest, expiresAt })
      .where('accountId', '=', change.accountId)
      .where('email', '=', change.email)
      .returning('accountId')
      .executeTakeFirst()
    return linked !== undefined
  }

  /** Uses up a link; of concurrent uses one succeeds. */
  async take(digest: Buffer, now: Date): Promise<EmailChange | undefined> {
    return this.db
      .deleteFrom('emailChange')
      .where('digest', '=', digest)
      .where('expiresAt', '>', now)
      .returning(['accountId', 'email'])
      .executeTakeFirst()
  }

  async forgetOf(accountId: string): Promise<void> {
    await this.db.deleteFrom('emailChange').where('accountId', '=', accountId).execute()
  }

  async forgetExpired(now: Date): Promise<void> {
    await deleteInPieces(this.db, 'email_change', sql`expires_at <= ${now}`)
  }
}
