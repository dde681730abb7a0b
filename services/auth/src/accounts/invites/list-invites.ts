import type { InviteList, ListInvitesRequest } from '@rookery/contracts/auth'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { Inviters } from '@rookery/contracts/permissions'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, pageWithin } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { circumstancesOf } from './find-invite.ts'
import { InviteReader, readInvites } from './invite.store.ts'

type Deps = {
  database: Database<AuthTables>
  clock: Clock
  statuses: { accounts: Client<AccountsDefinition> }
  config: { inviters: Inviters }
}

/** A page of all invitations for staff, latest first, with the usernames of their owners: one statement and one call. */
export const listInvites =
  (deps: Deps) =>
  async (call: Call, { page: asked, isGood }: ListInvitesRequest): Promise<InviteList> => {
    const page = pageWithin(PAGE_SIZES.staff, asked)
    const list = isGood === undefined ? 'all' : isGood ? 'good' : 'over'
    const { rows, cursors } = await readInvites(deps.database, list, { page, ...circumstancesOf(deps) })
    const { accounts } = await deps.statuses.accounts.readUsernames(call, { ids: [...new Set(rows.map(({ accountId }) => accountId))] })
    const usernames = new Map(accounts.map(({ id, username }) => [id, username]))
    const invites = rows.map(({ goodUntil, createdAt, maxUses, autofollow: _own, ...invite }) => ({
      ...invite,
      username: usernames.get(invite.accountId) ?? '',
      maxUses: maxUses ?? undefined,
      goodUntilMilliseconds: goodUntil?.getTime(),
      createdAtMilliseconds: createdAt.getTime(),
    }))
    return { invites, cursors }
  }

/** An account that joined by an invitation. */
type Invitee = { inviteId: string; username: string }

/** An account's own invitations, latest first, with the usernames of accounts that joined by them. */
export const readOwnInvites = (deps: Deps) => async (call: Call, accountId: string) => {
  const reader = new InviteReader(deps.database.db)
  const [invites, invitees] = await Promise.all([reader.of(accountId, circumstancesOf(deps)), reader.invitees(accountId)])
  // Usernames are optional: if statuses is unreachable, the page does without.
  const named = await deps.statuses.accounts.readUsernames(call, { ids: invitees.map((each) => each.accountId) }).catch(() => undefined)
  const usernames = new Map(named?.accounts.map(({ id, username }) => [id, username]))
  const came = invitees.flatMap(({ accountId: id, inviteId }): Invitee[] => {
    const username = usernames.get(id)
    return username ? [{ inviteId, username }] : []
  })
  const latestFirst = invites.toSorted((one, other) => (BigInt(other.id) > BigInt(one.id) ? 1 : -1))
  return latestFirst.map((invite) => ({
    ...invite,
    invitees: came.filter(({ inviteId }) => inviteId === invite.id).map(({ username }) => username),
  }))
}
