import {
  type Bounds,
  cursorsOf,
  type Database,
  type Db,
  deleteInPieces,
  type Order,
  type Page,
  preparedPage,
  type Tx,
} from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'
import type { InviteeTable, InviteTable } from '../../database/tables/invite.ts'
import { type Circumstances, isGood, isOpen } from './invite.predicates.ts'

/** An invitation, and whether it is valid for sign-up. */
export type Invite = InviteTable & { isGood: boolean }

/** The maximum numbers of ended invitations and of invited accounts that an owner is shown. */
const MAX_SHOWN = { over: 50, invitees: 500 } as const

const COLUMNS = sql`invite.id, invite.code, invite.account_id, invite.max_uses, invite.uses, invite.good_until, invite.autofollow, invite.created_at`
const WITH_LOGIN = sql`invite join login on login.account_id = invite.account_id`

type Keys = Bounds & { order: Order }

const listed = (circumstances: Circumstances, { order, below, above, limit }: Keys, state = sql``) => sql<Invite>`
  select ${COLUMNS}, ${isGood(circumstances)} is_good from ${WITH_LOGIN}
  where invite.id < ${below} and invite.id > ${above} ${state}
  order by invite.id ${sql.raw(order)} limit ${limit}`

/** The lists for staff, latest first: all invitations, valid ones, and invalid ones. */
const LISTS = {
  all: preparedPage('invites.list', listed),
  good: preparedPage('invites.good', (given: Circumstances, keys) => listed(given, keys, sql`and ${isGood(given)}`)),
  over: preparedPage('invites.over', (given: Circumstances, keys) => listed(given, keys, sql`and not ${isGood(given)}`)),
}

/** A page of a list of invitations. */
export const readInvites = async (database: Database<AuthTables>, list: keyof typeof LISTS, given: Circumstances & { page: Page }) =>
  cursorsOf(given.page, await LISTS[list](database, given), ({ id }) => id)

export class InviteReader {
  protected readonly db: Db<AuthTables>

  constructor(db: Db<AuthTables>) {
    this.db = db
  }

  /** A valid invitation by its code. */
  async findGood(code: string, circumstances: Circumstances): Promise<Invite | undefined> {
    const found = await sql<Invite>`
      select ${COLUMNS}, true is_good from ${WITH_LOGIN} where invite.code = ${code} and ${isGood(circumstances)}`.execute(this.db)
    return found.rows[0]
  }

  /** An account's open invitations and the latest ended ones, in no order. */
  async of(accountId: string, circumstances: Circumstances): Promise<Invite[]> {
    const found = await sql<Invite>`
      (select ${COLUMNS}, ${isGood(circumstances)} is_good from ${WITH_LOGIN}
        where invite.account_id = ${accountId} and ${isOpen(circumstances.now)})
      union all
      (select ${COLUMNS}, false is_good from invite
        where account_id = ${accountId} and good_until <= ${circumstances.now} order by good_until desc limit ${sql.lit(MAX_SHOWN.over)})`.execute(
      this.db,
    )
    return found.rows
  }

  /** The number of an account's open invitations, counted up to `max`. */
  async countOpen(accountId: string, now: Date, max: number): Promise<number> {
    const counted = await sql<{ count: number }>`
      select count(*)::int from (select from invite where account_id = ${accountId} and ${isOpen(now)} limit ${max}) open`.execute(this.db)
    return counted.rows[0]?.count ?? 0
  }

  /**
   * Accounts that joined by an account's invitations, latest first. The inner limit forces a lookup of each login, whatever Postgres
   * estimates.
   */
  async invitees(inviterId: string): Promise<Pick<InviteeTable, 'accountId' | 'inviteId'>[]> {
    const found = await sql<Pick<InviteeTable, 'accountId' | 'inviteId'>>`
      select came.account_id, came.invite_id from (
        select account_id, invite_id from invitee where inviter_id = ${inviterId}
        order by account_id desc limit ${sql.lit(MAX_SHOWN.invitees)}) came
      cross join lateral (
        select from login where account_id = came.account_id and confirmed_at is not null and approved_at is not null limit 1) joined
      order by came.account_id desc`.execute(this.db)
    return found.rows
  }

  /** The inviter that an account has yet to follow. */
  async followDue(accountId: string): Promise<string | undefined> {
    const query = this.db.selectFrom('invitee').select('inviterId').where('accountId', '=', accountId).where('isFollowDue', '=', true)
    return (await query.executeTakeFirst())?.inviterId
  }
}

export class InviteWriter extends InviteReader {
  constructor(tx: Tx<AuthTables>) {
    super(tx)
  }

  async add(invite: InviteTable): Promise<void> {
    await this.db.insertInto('invite').values(invite).execute()
  }

  /** Ends an open invitation, of one account or of any; returns it. */
  async end(id: string, now: Date, accountId?: string): Promise<Pick<Invite, 'accountId' | 'code'> | undefined> {
    const whose = accountId === undefined ? sql`` : sql`and account_id = ${accountId}`
    const ended = await sql<Pick<Invite, 'accountId' | 'code'>>`
      update invite set good_until = ${now} where id = ${id} and ${isOpen(now)} ${whose} returning account_id, code`.execute(this.db)
    return ended.rows[0]
  }

  /** Whether an invitation exists, ended or not. */
  async isThere(id: string): Promise<boolean> {
    return (await this.db.selectFrom('invite').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  }

  /**
   * Counts a use of a valid invitation and returns it; undefined if it is not valid. The last use ends it. Concurrent uses wait for each
   * other. The owner's login is locked first, as a deletion does too, so that a deletion waits for the transaction.
   */
  async use(id: string, circumstances: Circumstances): Promise<Pick<Invite, 'accountId' | 'autofollow'> | undefined> {
    await sql`select from login where account_id = (select account_id from invite where id = ${id}) for key share`.execute(this.db)
    const used = await sql<Pick<Invite, 'accountId' | 'autofollow'>>`
      update invite set uses = uses + 1, good_until = case when uses + 1 >= max_uses then ${circumstances.now} else good_until end
      from login where login.account_id = invite.account_id and invite.id = ${id} and ${isGood(circumstances)}
      returning invite.account_id, invite.autofollow`.execute(this.db)
    return used.rows[0]
  }

  async addInvitee(invitee: InviteeTable): Promise<void> {
    await this.db.insertInto('invitee').values(invitee).execute()
  }

  /** Records that an account followed its inviter. */
  async noteFollowed(accountId: string): Promise<void> {
    await this.db.updateTable('invitee').set({ isFollowDue: false }).where('accountId', '=', accountId).execute()
  }
}

/** Deletes invitations that ended before a time, in batches. */
export const forgetInvites = (db: Db<AuthTables>, before: Date): Promise<void> => deleteInPieces(db, 'invite', sql`good_until < ${before}`)
