import type { ListStaffAccountsRequest, StaffAccountPage } from '@rookery/contracts/auth'
import type { Cursors } from '@rookery/contracts/common'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { isRoleName } from '@rookery/contracts/permissions'
import type { ModerationDefinition } from '@rookery/contracts/statuses'
import { type Database, type Page, pageWithin } from '@rookery/database'
import { isId } from '@rookery/ids'
import type { Call, Client } from '@rookery/rpc'
import type { AuthTables } from '../database/schema.ts'
import { addressRangeOf } from './address-range.rules.ts'
import { type LoginFilter, StaffLoginReader } from './staff-login.store.ts'

type Deps = { database: Database<AuthTables>; statuses: { moderation: Client<ModerationDefinition> } }

const NOTHING: StaffAccountPage = { accounts: [], logins: [], cursors: undefined }

/** The part of a request that filters by login; undefined if there is none, and `none` if no login can match. */
const loginFilterOf = (request: ListStaffAccountsRequest): LoginFilter | 'none' | undefined => {
  const { isPending, isDisabled, roles, email, address, inviterId } = request
  const emailDomain = request.emailDomain.trim().toLowerCase().replace(/^@/, '')
  if (!isPending && !isDisabled && roles.length === 0 && !email && !address && !emailDomain && !inviterId) return undefined
  const range = address ? addressRangeOf(address) : ''
  const known = roles.filter(isRoleName)
  if (range === undefined || (inviterId && !isId(inviterId)) || (roles.length > 0 && known.length === 0)) return 'none'
  return { isPending, isDisabled, roles: known, email, emailDomain, inviterId, range }
}

/** The maximum number of logins that a page examines. */
const MAX_CANDIDATES = 5000

/** The cursors of a page that ran out of candidates at their limit: the next page starts after the last candidate. */
const cursorsBehind = (cursors: Cursors | undefined, end: string, { minId }: Page): Cursors => ({
  first: minId ? end : cursors?.first || end,
  last: minId ? cursors?.last || end : end,
  isFull: true,
})

/**
 * A page of accounts for staff (beyond-the-spec 2.6). With a filter by login, the matching logins are candidates, among which statuses
 * selects the page; otherwise statuses alone does. Both take one call and at most two statements, and see each act at once, which a copy of
 * the other service's state would not.
 */
export const listAccounts =
  ({ database, statuses }: Deps) =>
  async (call: Call, request: ListStaffAccountsRequest): Promise<StaffAccountPage> => {
    const page = pageWithin(PAGE_SIZES.staff, request.page)
    const filter = loginFilterOf(request)
    if (filter === 'none' || page.limit === 0) return NOTHING
    const reader = new StaffLoginReader(database.db)
    const candidates = filter && (await reader.candidates(filter, { ...page, limit: MAX_CANDIDATES }))
    if (candidates?.length === 0) return NOTHING
    const { accounts, cursors } = await statuses.moderation.listAccounts(call, {
      page,
      among: candidates && { ids: candidates },
      username: request.username,
      displayName: request.displayName,
      isNotSuspended: request.isNotSuspended,
      isSilenced: request.isSilenced,
      isSuspended: request.isSuspended,
      isSensitized: request.isSensitized,
      isLocal: request.isLocal,
      isRemote: request.isRemote,
      domain: request.domain,
    })
    const isCut = candidates?.length === MAX_CANDIDATES && !cursors?.isFull
    return {
      accounts,
      logins: await reader.messages(accounts.map(({ id }) => id)),
      cursors: isCut ? cursorsBehind(cursors, candidates.at(-1)!, page) : cursors,
    }
  }
