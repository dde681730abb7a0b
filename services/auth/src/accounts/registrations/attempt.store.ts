import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'
import type { SignUpAttemptTable } from '../../database/tables/attempt.ts'

/** A sign-up in progress. */
export type Attempt = SignUpAttemptTable

const COLUMNS = [
  'accountId',
  'username',
  'email',
  'passwordHash',
  'role',
  'locale',
  'reason',
  'address',
  'appId',
  'isConfirmed',
  'isApproved',
  'inviteId',
  'createdAt',
] as const

export class AttemptReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async find(accountId: string): Promise<Attempt | undefined> {
    return this.db.selectFrom('signUpAttempt').select(COLUMNS).where('accountId', '=', accountId).executeTakeFirst()
  }

  /** The newest attempt with this address and username, both case-insensitive. */
  async findLike(email: string, username: string): Promise<Attempt | undefined> {
    // `offset 0` forces the index by address: otherwise Postgres may scan all attempts in the order of their ids.
    const like = this.db
      .selectFrom('signUpAttempt')
      .select(COLUMNS)
      .where(sql<boolean>`lower(email) = lower(${email}) and lower(username) = lower(${username})`)
      .offset(sql.lit(0))
    return this.db.selectFrom(like.as('like')).selectAll().orderBy('accountId', 'desc').limit(1).executeTakeFirst()
  }
}

export class AttemptWriter extends AttemptReader {
  async add(attempt: Attempt): Promise<void> {
    const row = {
      accountId: attempt.accountId,
      username: attempt.username,
      email: attempt.email,
      passwordHash: attempt.passwordHash,
      role: attempt.role,
      locale: attempt.locale,
      reason: attempt.reason,
      address: attempt.address,
      appId: attempt.appId,
      isConfirmed: attempt.isConfirmed,
      isApproved: attempt.isApproved,
      inviteId: attempt.inviteId,
      createdAt: attempt.createdAt,
    }
    await this.db.insertInto('signUpAttempt').values(row).execute()
  }

  async remove(accountId: string): Promise<void> {
    await this.db.deleteFrom('signUpAttempt').where('accountId', '=', accountId).execute()
  }
}
