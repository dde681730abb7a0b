import { type Db, deleteInPieces, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'

/** The account and the address that a link confirms. */
type Confirmation = { accountId: string; email: string }

export class ConfirmationReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async find(digest: Buffer, now: Date): Promise<Confirmation | undefined> {
    return this.db
      .selectFrom('confirmationToken')
      .select(['accountId', 'email'])
      .where('digest', '=', digest)
      .where('expiresAt', '>', now)
      .executeTakeFirst()
  }
}

export class ConfirmationWriter extends ConfirmationReader {
  async add(digest: Buffer, confirmation: Confirmation, expiresAt: Date): Promise<void> {
    const row = { digest, accountId: confirmation.accountId, email: confirmation.email, expiresAt }
    await this.db.insertInto('confirmationToken').values(row).execute()
  }

  async forgetExpired(now: Date): Promise<void> {
    await deleteInPieces(this.db, 'confirmation_token', sql`expires_at <= ${now}`)
  }
}
