import type { StaffLogin } from '@rookery/contracts/auth'
import type { RoleName } from '@rookery/contracts/permissions'
import { anyOf, type Db, keyset, type Page } from '@rookery/database'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AuthTables } from '../database/schema.ts'

/** A filter of logins; all given conditions must match. */
export type LoginFilter = {
  isPending: boolean
  isDisabled: boolean
  /** Any of these roles; empty for all. */
  roles: RoleName[]
  /** A prefix of the e-mail address; empty for all. */
  email: string
  /** The domain of the e-mail address, in lower case; empty for all. */
  emailDomain: string
  /** The inviter; empty for all. */
  inviterId: string
  /** A range that contains the network address of the sign-up; empty for all. */
  range: string
}

const MAX_COUNTED = 10_000

/** A bound above all texts with this prefix. */
const behind = (beginning: string) => `${beginning}\u{10ffff}`

/** Conditions whose indexes are not in the order of the page, the most selective first. */
const foundBy = ({ email, range, inviterId }: LoginFilter): RawBuilder<SqlBool>[] => {
  const beginning = email.trim().toLowerCase()
  return [
    ...(inviterId ? [sql<SqlBool>`account_id in (select account_id from invitee where inviter_id = ${inviterId})`] : []),
    ...(beginning ? [sql<SqlBool>`lower(email) ~>=~ ${beginning} and lower(email) ~<~ ${behind(beginning)}`] : []),
    ...(range ? [sql<SqlBool>`nullif(sign_up_address, '')::inet <<= ${range}::inet`] : []),
  ]
}

export class StaffLoginReader {
  private readonly db: Db<AuthTables>

  constructor(db: Db<AuthTables>) {
    this.db = db
  }

  /** The ids of accounts with matching logins, latest first; a page by min_id is oldest first. */
  async candidates(filter: LoginFilter, page: Page): Promise<string[]> {
    const { below, above, order, limit } = keyset(page)
    // The rows of the most selective condition are read whole and then sorted; without one, rows are scanned in the order of the page.
    const [found, ...others] = foundBy(filter)
    const conditions = [
      sql`account_id < ${below} and account_id > ${above}`,
      ...others,
      ...(filter.emailDomain ? [sql`lower(split_part(email, '@', 2)) = ${filter.emailDomain}`] : []),
      ...(filter.isPending ? [sql`approved_at is null`] : []),
      ...(filter.isDisabled ? [sql`disabled_at is not null`] : []),
      ...(filter.roles.length > 0 ? [sql`role = any(${filter.roles}::text[])`] : []),
      ...(filter.roles.length > 0 && !filter.roles.includes('user') ? [sql`role <> 'user'`] : []),
    ]
    const { rows } = await sql<{ accountId: string }>`
      ${found ? sql`with login as materialized (select account_id, email, sign_up_address, approved_at, disabled_at, role from login where ${found})` : sql``}
      select account_id from login where ${sql.join(conditions, sql` and `)}
      order by account_id ${sql.raw(order)} limit ${limit}`.execute(this.db)
    return rows.map(({ accountId }) => accountId)
  }

  /** The number of accounts that wait for approval, counted up to a limit. */
  async countPending(): Promise<number> {
    const pending = this.db.selectFrom('login').select('accountId').where('approvedAt', 'is', null).limit(MAX_COUNTED)
    const counted = this.db.selectFrom(pending.as('pending')).select(({ fn }) => fn.countAll<string>().as('count'))
    return Number((await counted.executeTakeFirst())?.count ?? 0)
  }

  /** The logins of accounts for staff, in no order. */
  async messages(accountIds: readonly string[]): Promise<StaffLogin[]> {
    const rows = await this.db
      .selectFrom('login')
      .select(['accountId', 'email', 'signUpAddress', 'locale', 'reason', 'role', 'createdAt', 'confirmedAt', 'approvedAt', 'disabledAt'])
      .select((build) => build.selectFrom('app').select('number').whereRef('app.id', '=', 'login.signUpAppId').as('appNumber'))
      .select((build) =>
        build.selectFrom('invitee').select('inviterId').whereRef('invitee.accountId', '=', 'login.accountId').as('inviterId'),
      )
      .where('accountId', '=', anyOf(accountIds))
      .execute()
    return rows.map((row) => ({
      accountId: row.accountId,
      email: row.email,
      address: row.signUpAddress,
      locale: row.locale,
      reason: row.reason,
      role: row.role,
      isConfirmed: row.confirmedAt !== null,
      isApproved: row.approvedAt !== null,
      isDisabled: row.disabledAt !== null,
      createdAtMilliseconds: row.createdAt.getTime(),
      appNumber: row.appNumber === null ? undefined : Number(row.appNumber),
      inviterId: row.inviterId ?? '',
    }))
  }
}
