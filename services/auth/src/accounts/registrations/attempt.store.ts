import type { RoleName } from '@rookery/contracts/permissions'
import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'

/** A sign-up under way. */
export type Attempt = {
  accountId: string
  username: string
  email: string
  passwordHash: string
  role: RoleName
  locale: string
  reason: string
  address: string
  appId: string | null
  isConfirmed: boolean
  isApproved: boolean
  createdAt: Date
}

const COLUMNS = [
  'accountId',
  'username',
  'email',
  'passwordHash',
  sql<RoleName>`role`.as('role'),
  'locale',
  'reason',
  'address',
  'appId',
  'isConfirmed',
  'isApproved',
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

  /** The newest attempt with this address and username, both regardless of case. */
  async findLike(email: string, username: string): Promise<Attempt | undefined> {
    return this.db
      .selectFrom('signUpAttempt')
      .select(COLUMNS)
      .where(sql<boolean>`lower(email) = lower(${email}) and lower(username) = lower(${username})`)
      .orderBy('accountId', 'desc')
      .limit(1)
      .executeTakeFirst()
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
      createdAt: attempt.createdAt,
    }
    await this.db.insertInto('signUpAttempt').values(row).execute()
  }

  async remove(accountId: string): Promise<void> {
    await this.db.deleteFrom('signUpAttempt').where('accountId', '=', accountId).execute()
  }
}
