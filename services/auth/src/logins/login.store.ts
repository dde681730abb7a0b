import type { RoleName } from '@rookery/contracts/permissions'
import { anyOf, applyPage, cursorsOf, type Db, type Page, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../database/schema.ts'

/** A login as this service's use cases see it. */
export type Login = {
  accountId: string
  email: string
  passwordHash: string
  role: RoleName
  locale: string
  /** Where they signed up from; empty when an operator opened the account. */
  signUpAddress: string
  signUpAppId: string | null
  createdAt: Date
  confirmedAt: Date | null
  approvedAt: Date | null
  disabledAt: Date | null
  suspendedAt: Date | null
  memorialAt: Date | null
  closingAt: Date | null
}

/** What operators read of one login at a time. */
export type LoginDetails = { reason: string; lastSignInAt: Date | null }

/** What is known of a login when it is made. */
export type NewLogin = Login & { reason: string }

/** What may change about a login; what is absent stays. */
export type LoginChange = {
  email?: string
  role?: RoleName
  approvedAt?: Date
  passwordHash?: string
  confirmedAt?: Date
  disabledAt?: Date | null
  suspendedAt?: Date | null
  memorialAt?: Date | null
  closingAt?: Date
}

const COLUMNS = [
  'account_id as accountId',
  'email',
  'password_hash as passwordHash',
  sql<RoleName>`role`.as('role'),
  'locale',
  'sign_up_address as signUpAddress',
  'sign_up_app_id as signUpAppId',
  'created_at as createdAt',
  'confirmed_at as confirmedAt',
  'approved_at as approvedAt',
  'disabled_at as disabledAt',
  'suspended_at as suspendedAt',
  'memorial_at as memorialAt',
  'closing_at as closingAt',
] as const

const lowered = (email: string) => sql<boolean>`lower(email) = lower(${email})`

export class LoginReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async find(accountId: string): Promise<Login | undefined> {
    return this.db.selectFrom('login').select(COLUMNS).where('account_id', '=', accountId).executeTakeFirst()
  }

  async findByEmail(email: string): Promise<Login | undefined> {
    return this.db.selectFrom('login').select(COLUMNS).where(lowered(email)).executeTakeFirst()
  }

  /** What only one login's own page shows. */
  async details(accountId: string): Promise<LoginDetails | undefined> {
    const query = this.db.selectFrom('login').select(['reason', 'last_sign_in_at as lastSignInAt']).where('account_id', '=', accountId)
    return query.executeTakeFirst()
  }

  /** People whose account is still to be deleted, the first to ask first. */
  async closing(): Promise<string[]> {
    const query = this.db.selectFrom('login').select('account_id as accountId').where('closing_at', 'is not', null)
    return (await query.orderBy('closing_at').execute()).map(({ accountId }) => accountId)
  }

  async list(page: Page): Promise<Login[]> {
    const rows = await applyPage(this.db.selectFrom('login').select(COLUMNS), 'account_id', page).execute()
    return cursorsOf(page, rows, (login) => login.accountId).rows
  }
}

export class LoginWriter extends LoginReader {
  /** @throws the unique violation of login_email when the address is taken */
  async add(login: NewLogin): Promise<void> {
    const row = {
      account_id: login.accountId,
      email: login.email,
      password_hash: login.passwordHash,
      role: login.role,
      locale: login.locale,
      reason: login.reason,
      sign_up_address: login.signUpAddress,
      sign_up_app_id: login.signUpAppId,
      created_at: login.createdAt,
      confirmed_at: login.confirmedAt,
      approved_at: login.approvedAt,
      disabled_at: login.disabledAt,
      suspended_at: login.suspendedAt,
      memorial_at: login.memorialAt,
      closing_at: login.closingAt,
      last_sign_in_at: null,
      last_seen_on: null,
    }
    await this.db.insertInto('login').values(row).execute()
  }

  /** The login, kept from others until the transaction ends. */
  async lock(accountId: string): Promise<Login | undefined> {
    return this.db.selectFrom('login').select(COLUMNS).where('account_id', '=', accountId).forUpdate().executeTakeFirst()
  }

  /** @throws the unique violation of login_email when the address is taken */
  async update(accountId: string, change: LoginChange): Promise<void> {
    const row = {
      ...(change.email === undefined ? {} : { email: change.email }),
      ...(change.role === undefined ? {} : { role: change.role }),
      ...(change.approvedAt === undefined ? {} : { approved_at: change.approvedAt }),
      ...(change.passwordHash === undefined ? {} : { password_hash: change.passwordHash }),
      ...(change.confirmedAt === undefined ? {} : { confirmed_at: change.confirmedAt }),
      ...(change.closingAt === undefined ? {} : { closing_at: change.closingAt }),
      ...(change.disabledAt === undefined ? {} : { disabled_at: change.disabledAt }),
      ...(change.suspendedAt === undefined ? {} : { suspended_at: change.suspendedAt }),
      ...(change.memorialAt === undefined ? {} : { memorial_at: change.memorialAt }),
    }
    if (Object.keys(row).length === 0) return
    await this.db.updateTable('login').set(row).where('account_id', '=', accountId).execute()
  }

  async recordSignIn(accountId: string, at: Date): Promise<void> {
    await this.db.updateTable('login').set({ last_sign_in_at: at }).where('account_id', '=', accountId).execute()
  }

  /** Notes that people were seen on a day of a week that begins on a Monday, both as YYYY-MM-DD. Those that are gone are left out. */
  async noteSeen(accountIds: readonly string[], { day, week }: { day: string; week: string }): Promise<void> {
    await this.db
      .updateTable('login')
      .set({ last_seen_on: day })
      .where('account_id', '=', anyOf(accountIds))
      .where((where) => where.or([where('last_seen_on', 'is', null), where('last_seen_on', '<', day)]))
      .execute()
    await this.db
      .insertInto('sign_in_week')
      .columns(['week', 'account_id'])
      .expression((from) =>
        from
          .selectFrom('login')
          .select([sql<string>`${week}::date`.as('week'), 'account_id'])
          .where('account_id', '=', anyOf(accountIds)),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  /** Removes the login with all that hangs on it. */
  async remove(accountId: string): Promise<void> {
    await this.db.deleteFrom('login').where('account_id', '=', accountId).execute()
  }
}
