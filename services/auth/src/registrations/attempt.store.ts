import type { RoleName } from '@rookery/contracts/permissions'
import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../database/schema.ts'

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
  'account_id as accountId',
  'username',
  'email',
  'password_hash as passwordHash',
  sql<RoleName>`role`.as('role'),
  'locale',
  'reason',
  'address',
  'app_id as appId',
  'is_confirmed as isConfirmed',
  'is_approved as isApproved',
  'created_at as createdAt',
] as const

export class AttemptReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async find(accountId: string): Promise<Attempt | undefined> {
    return this.db.selectFrom('sign_up_attempt').select(COLUMNS).where('account_id', '=', accountId).executeTakeFirst()
  }

  /** The newest attempt with this address and username, both whatever their case. */
  async findLike(email: string, username: string): Promise<Attempt | undefined> {
    return this.db
      .selectFrom('sign_up_attempt')
      .select(COLUMNS)
      .where(sql<boolean>`lower(email) = lower(${email}) and lower(username) = lower(${username})`)
      .orderBy('account_id', 'desc')
      .limit(1)
      .executeTakeFirst()
  }
}

export class AttemptWriter extends AttemptReader {
  async add(attempt: Attempt): Promise<void> {
    const row = {
      account_id: attempt.accountId,
      username: attempt.username,
      email: attempt.email,
      password_hash: attempt.passwordHash,
      role: attempt.role,
      locale: attempt.locale,
      reason: attempt.reason,
      address: attempt.address,
      app_id: attempt.appId,
      is_confirmed: attempt.isConfirmed,
      is_approved: attempt.isApproved,
      created_at: attempt.createdAt,
    }
    await this.db.insertInto('sign_up_attempt').values(row).execute()
  }

  async remove(accountId: string): Promise<void> {
    await this.db.deleteFrom('sign_up_attempt').where('account_id', '=', accountId).execute()
  }
}
