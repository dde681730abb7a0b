import type { Db, Tx } from '@rookery/database'
import type { AuthTables } from '../database/schema.ts'

/** What a link was sent for. */
export type Confirmation = { accountId: string; email: string }

export class ConfirmationReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async find(digest: Buffer, now: Date): Promise<Confirmation | undefined> {
    return this.db
      .selectFrom('confirmation_token')
      .select(['account_id as accountId', 'email'])
      .where('digest', '=', digest)
      .where('expires_at', '>', now)
      .executeTakeFirst()
  }
}

export class ConfirmationWriter extends ConfirmationReader {
  async add(digest: Buffer, confirmation: Confirmation, expiresAt: Date): Promise<void> {
    const row = { digest, account_id: confirmation.accountId, email: confirmation.email, expires_at: expiresAt }
    await this.db.insertInto('confirmation_token').values(row).execute()
  }

  async forgetExpired(now: Date): Promise<void> {
    await this.db.deleteFrom('confirmation_token').where('expires_at', '<=', now).execute()
  }
}
