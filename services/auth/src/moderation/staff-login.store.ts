import type { StaffLogin } from '@rookery/contracts/auth'
import type { RoleName } from '@rookery/contracts/permissions'
import { anyOf, type Db, keyset, type Page } from '@rookery/database'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AuthTables } from '../database/schema.ts'

/** Which logins staff ask for: what is set must be true of them. */
export type LoginFilter = {
  isPending: boolean
  isDisabled: boolean
  /** Any of these; empty for all. */
  roles: RoleName[]
  /** How the address of mail begins; empty for all. */
  email: string
  /** The domain of the address of mail, in lower case; empty for all. */
  emailDomain: string
  /** Who invited them; empty for all. */
  inviterId: string
  /** The range in which the address lies from which they signed up; empty for all. */
  range: string
}

const MAX_COUNTED = 10_000

/** Above every text that begins with this one. */
const behind = (beginning: string) => `${beginning}\u{10ffff}`

/** What indexes find without an order. */
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

  /** The ids of accounts whose logins fit, latest first; those of a page by min_id lowest id first. */
  async candidates(filter: LoginFilter, page: Page): Promise<string[]> {
    const { below, above, order, limit } = keyset(page)
    // The smallest of these is read whole; without one, all that is asked for lies in order.
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

  /** How many people wait for approval, counted no further than there is use in. */
  async countPending(): Promise<number> {
    const pending = this.db.selectFrom('login').select('accountId').where('approvedAt', 'is', null).limit(MAX_COUNTED)
    const counted = this.db.selectFrom(pending.as('pending')).select(({ fn }) => fn.countAll<string>().as('count'))
    return Number((await counted.executeTakeFirst())?.count ?? 0)
  }

  /** The logins of accounts as staff read them, in any order. */
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
