import type { AccountPage, ReadAccountListRequest } from '@rookery/contracts/statuses'
import type { Database, Page } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { ACCOUNT_LISTS, type AccountListKind, readListPrivacy } from './account-lists.store.ts'
import { readEndorsed } from './endorsement.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

/** The owner of the list, its reader ('' for anonymous), and the page. */
type Wanted = Pick<ReadAccountListRequest, 'accountId' | 'viewerId'> & { page: Page }

const NO_ONE: AccountPage = { accounts: [], cursors: undefined }

const privacyOf = async ({ database }: Deps, { accountId, viewerId }: Wanted) =>
  orNotFound((await readListPrivacy(database, { accountId, viewerId: viewerId || '0' }))[0])

/** A page of an account list, without checking its privacy. */
export const readPeople =
  ({ database, views, clock }: Deps) =>
  async (kind: AccountListKind, { accountId, viewerId, page }: Wanted): Promise<AccountPage> => {
    const wanted = { accountId, viewerId: viewerId || '0', now: new Date(clock.now()) }
    return views.accountPage(page, (part) => ACCOUNT_LISTS[kind](database, { ...wanted, page: part }))
  }

/**
 * An account's followers, or the accounts it follows; empty for others if it hides them, is suspended, or blocks the viewer (beyond-the-spec 1.1,
 * 1.11).
 * @throws Failure not_found if there is no such account
 */
export const readFollows = (deps: Deps) => {
  const people = readPeople(deps)
  return async (kind: 'followers' | 'following', wanted: Wanted): Promise<AccountPage> => {
    const { hidesFollows, isBarred } = await privacyOf(deps, wanted)
    const isOwn = wanted.viewerId === wanted.accountId
    return !isOwn && (hidesFollows || isBarred) ? NO_ONE : people(kind, wanted)
  }
}

/** The accounts that an account features; empty if it is suspended, or blocks the viewer. @throws Failure not_found if there is no such account */
export const readEndorsements =
  (deps: Deps) =>
  async (wanted: Wanted): Promise<AccountPage> => {
    const { accountId, viewerId, page } = wanted
    const { isBarred } = await privacyOf(deps, wanted)
    if (isBarred) return NO_ONE
    return deps.views.accountPage(page, (part) => readEndorsed(deps.database, { accountId, viewerId: viewerId || '0', page: part }))
  }

/** The accounts that an account mutes, with the expiry of each mute (seconds since 1970; 0 for never). */
export const readMutes =
  ({ database, views, clock }: Deps) =>
  async ({ accountId, page }: Wanted): Promise<{ page: AccountPage; expiresAtSeconds: number[] }> => {
    const wanted = { accountId, viewerId: accountId, now: new Date(clock.now()) }
    const ends = new Map<string, number>()
    const shown = await views.accountPage(page, async (part) => {
      const rows = await ACCOUNT_LISTS.mutes(database, { ...wanted, page: part })
      for (const row of rows) ends.set(row.accountId, row.expiresAtSeconds)
      return rows
    })
    return { page: shown, expiresAtSeconds: shown.accounts.map(({ id }) => ends.get(id) ?? 0) }
  }
