import type { RoleName } from '@rookery/contracts/permissions'
import { anyOf, applyPage, cursorsOf, type Db, type Page, type Tx } from '@rookery/database'
import { type ExpressionBuilder, sql } from 'kysely'
import type { AuthTables } from '../database/schema.ts'
import type { LoginTable } from '../database/tables/login.ts'

/** A login, for use cases. */
export type Login = Omit<LoginTable, keyof LoginDetails | 'lastSeenOn'>

/** Columns that are read for one login at a time. */
export type LoginDetails = Pick<LoginTable, 'reason' | 'lastSignInAt'>

/** A login to insert. */
export type NewLogin = Login & { reason: string }

/** Changes of a login; absent fields stay. */
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
  'accountId',
  'email',
  'passwordHash',
  'role',
  'locale',
  'signUpAddress',
  'signUpAppId',
  'createdAt',
  'confirmedAt',
  'approvedAt',
  'disabledAt',
  'suspendedAt',
  'memorialAt',
  'closingAt',
] as const

const lowered = (email: string) => sql<boolean>`lower(email) = lower(${email})`

export class LoginReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async find(accountId: string): Promise<Login | undefined> {
    return this.db.selectFrom('login').select(COLUMNS).where('accountId', '=', accountId).executeTakeFirst()
  }

  async findByEmail(email: string): Promise<Login | undefined> {
    return this.db.selectFrom('login').select(COLUMNS).where(lowered(email)).executeTakeFirst()
  }

  /** Details of a login, for its own page. */
  async details(accountId: string): Promise<LoginDetails | undefined> {
    const query = this.db.selectFrom('login').select(['reason', 'lastSignInAt']).where('accountId', '=', accountId)
    return query.executeTakeFirst()
  }

  /** Accounts whose deletion is unfinished, oldest request first. */
  async closing(): Promise<string[]> {
    const query = this.db.selectFrom('login').select('accountId').where('closingAt', 'is not', null)
    return (await query.orderBy('closingAt').execute()).map(({ accountId }) => accountId)
  }

  /** Accounts that signed up by themselves before a time, are unconfirmed and have no valid confirmation link. */
  async abandonedSignUps(before: Date, now: Date, limit: number): Promise<string[]> {
    const good = (login: ExpressionBuilder<AuthTables, 'login'>) =>
      login
        .selectFrom('confirmationToken as c')
        .select('c.digest')
        .whereRef('c.accountId', '=', 'login.accountId')
        .where('c.expiresAt', '>', now)
    const query = this.db
      .selectFrom('login')
      .select('accountId')
      .where('confirmedAt', 'is', null)
      .where('createdAt', '<=', before)
      .where('signUpAddress', '<>', '')
      .where('closingAt', 'is', null)
      .where((login) => login.not(login.exists(good(login))))
    return (await query.orderBy('createdAt').limit(limit).execute()).map(({ accountId }) => accountId)
  }

  async list(page: Page): Promise<Login[]> {
    const rows = await applyPage(this.db.selectFrom('login').select(COLUMNS), 'accountId', page).execute()
    return cursorsOf(page, rows, (login) => login.accountId).rows
  }
}

export class LoginWriter extends LoginReader {
  /** @throws the unique violation of login_email when the address is taken */
  async add(login: NewLogin): Promise<void> {
    const row = {
      accountId: login.accountId,
      email: login.email,
      passwordHash: login.passwordHash,
      role: login.role,
      locale: login.locale,
      reason: login.reason,
      signUpAddress: login.signUpAddress,
      signUpAppId: login.signUpAppId,
      createdAt: login.createdAt,
      confirmedAt: login.confirmedAt,
      approvedAt: login.approvedAt,
      disabledAt: login.disabledAt,
      suspendedAt: login.suspendedAt,
      memorialAt: login.memorialAt,
      closingAt: login.closingAt,
      lastSignInAt: null,
      lastSeenOn: null,
    }
    await this.db.insertInto('login').values(row).execute()
  }

  /** Locks a login until the transaction ends, and returns it. */
  async lock(accountId: string): Promise<Login | undefined> {
    return this.db.selectFrom('login').select(COLUMNS).where('accountId', '=', accountId).forUpdate().executeTakeFirst()
  }

  /** Whether the server has an owner; takes a lock until the transaction ends, so that the last two owners cannot leave concurrently. */
  async holdOwner(): Promise<boolean> {
    await sql`select pg_advisory_xact_lock(hashtext('auth.owners'))`.execute(this.db)
    const { rows } = await sql`
      select 1 from login where role = 'owner' and disabled_at is null and suspended_at is null and memorial_at is null and closing_at is null
      limit 1`.execute(this.db)
    return rows.length > 0
  }

  /** @throws the unique violation of login_email when the address is taken */
  async update(accountId: string, change: LoginChange): Promise<void> {
    const row = {
      ...(change.email === undefined ? {} : { email: change.email }),
      ...(change.role === undefined ? {} : { role: change.role }),
      ...(change.approvedAt === undefined ? {} : { approvedAt: change.approvedAt }),
      ...(change.passwordHash === undefined ? {} : { passwordHash: change.passwordHash }),
      ...(change.confirmedAt === undefined ? {} : { confirmedAt: change.confirmedAt }),
      ...(change.closingAt === undefined ? {} : { closingAt: change.closingAt }),
      ...(change.disabledAt === undefined ? {} : { disabledAt: change.disabledAt }),
      ...(change.suspendedAt === undefined ? {} : { suspendedAt: change.suspendedAt }),
      ...(change.memorialAt === undefined ? {} : { memorialAt: change.memorialAt }),
    }
    if (Object.keys(row).length === 0) return
    await this.db.updateTable('login').set(row).where('accountId', '=', accountId).execute()
  }

  async recordSignIn(accountId: string, at: Date): Promise<void> {
    await this.db.updateTable('login').set({ lastSignInAt: at }).where('accountId', '=', accountId).execute()
  }

  /**
   * Records accounts as active on a day, and in the week that begins on the given Monday, both as YYYY-MM-DD. Deleted logins are skipped.
   */
  async noteSeen(accountIds: readonly string[], { day, week }: { day: string; week: string }): Promise<void> {
    await this.db
      .updateTable('login')
      .set({ lastSeenOn: day })
      .where('accountId', '=', anyOf(accountIds))
      .where((where) => where.or([where('lastSeenOn', 'is', null), where('lastSeenOn', '<', day)]))
      .execute()
    await this.db
      .insertInto('signInWeek')
      .columns(['week', 'accountId'])
      .expression((from) =>
        from
          .selectFrom('login')
          .select([sql<string>`${week}::date`.as('week'), 'accountId'])
          .where('accountId', '=', anyOf(accountIds)),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await sql`insert into seen_day (day, account_id)
      select ${day}::date - '1970-01-01'::date, account_id from login where account_id = any(${[...accountIds]}::bigint[])
      on conflict do nothing`.execute(this.db)
  }

  /** Deletes a login; its dependent rows cascade. */
  async remove(accountId: string): Promise<void> {
    await this.db.deleteFrom('login').where('accountId', '=', accountId).execute()
  }
}
