import { BATCHES, PAGE_SIZES } from '@rookery/contracts/limits'
import { type AccountPage, GraphDefinition, type ReadAccountListRequest, type Relationship } from '@rookery/contracts/statuses'
import { type Database, type Page, pageWithin } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { ACCOUNT_LISTS, type AccountListKind, readListPrivacy } from './account-lists.store.ts'
import { authorizeFollowRequest, rejectFollowRequest } from './answer-follow-request.ts'
import { blockAccount, unblockAccount } from './block-account.ts'
import { endorseAccount, unendorseAccount } from './endorse-account.ts'
import { readEndorsed } from './endorsement.store.ts'
import { followAccount, unfollowAccount } from './follow-account.ts'
import { muteAccount, unmuteAccount } from './mute-account.ts'
import { readFamiliarFollowers } from './read-familiar-followers.ts'
import { readRelationships } from './read-relationships.ts'
import { removeFollower } from './remove-follower.ts'
import { writeNote } from './write-note.ts'

type Deps = { database: Database<StatusesTables>; views: Views; outbox: Outbox; clock: Clock }
type Named = { viewerId: string; accountId: string }

/** The page that is wanted, within the contract's sizes. */
const within = (page: Page | undefined) => pageWithin(PAGE_SIZES.people, page)
const pairOf = ({ viewerId, accountId }: Named) => ({ accountId: viewerId, targetId: accountId })

/** Following, blocking, muting, and the lists of people they make. Every act answers with the relationship as it now is. */
export const createGraphRpc = (deps: Deps): Handler => {
  const relationships = readRelationships(deps)
  const follow = followAccount(deps)
  const mute = muteAccount(deps)
  const authorize = authorizeFollowRequest(deps)
  const reject = rejectFollowRequest(deps)
  const note = writeNote(deps)
  const familiar = readFamiliarFollowers(deps)

  const relationship = async ({ viewerId, accountId }: Named): Promise<Relationship> =>
    orNotFound((await relationships(viewerId, [accountId], { withSuspended: true }))[0])
  const answering = (act: (pair: { accountId: string; targetId: string }) => Promise<void>) => async (_call: unknown, request: Named) => {
    await act(pairOf(request))
    return relationship(request)
  }
  const list = async (kind: AccountListKind, { accountId, viewerId, page: wanted }: ReadAccountListRequest) => {
    const page = within(wanted)
    const rows = await ACCOUNT_LISTS[kind](deps.database, { accountId, viewerId: viewerId || '0', now: new Date(deps.clock.now()), page })
    return { rows, page: await deps.views.accountPage(rows, page) }
  }
  const privacyOf = async ({ accountId, viewerId }: Pick<ReadAccountListRequest, 'accountId' | 'viewerId'>) =>
    orNotFound((await readListPrivacy(deps.database, { accountId, viewerId: viewerId || '0' }))[0])

  /** Another's followers or follows: hidden when they say so, are suspended, or block the viewer (beyond-the-spec 1.1, 1.11). */
  const others = async (kind: 'followers' | 'following', request: ReadAccountListRequest): Promise<AccountPage> => {
    const { hidesFollows, isBarred } = await privacyOf(request)
    if (request.viewerId !== request.accountId && (hidesFollows || isBarred)) return { accounts: [], cursors: undefined }
    return (await list(kind, request)).page
  }

  /** Whom someone shows on their profile: no one when they are suspended, or block the viewer. */
  const endorsed = async ({ accountId, viewerId, page: wanted }: ReadAccountListRequest): Promise<AccountPage> => {
    const page = within(wanted)
    const { isBarred } = await privacyOf({ accountId, viewerId })
    if (isBarred) return { accounts: [], cursors: undefined }
    return deps.views.accountPage(await readEndorsed(deps.database, { accountId, viewerId: viewerId || '0', page }), page)
  }

  return handler(GraphDefinition, {
    readRelationships: async (_call, { viewerId, accountIds, withSuspended }) => ({
      relationships: await relationships(viewerId, accountIds.slice(0, BATCHES.relationships), { withSuspended }),
    }),
    follow: async (_call, request) => {
      const { reblogs, notify, languages } = request
      await follow(pairOf(request), { reblogs, notify, languages: languages?.languages })
      return relationship(request)
    },
    unfollow: answering(unfollowAccount(deps)),
    block: answering(blockAccount(deps)),
    unblock: answering(unblockAccount(deps)),
    mute: async (_call, request) => {
      await mute(pairOf(request), request)
      return relationship(request)
    },
    unmute: answering(unmuteAccount(deps)),
    removeFollower: answering(removeFollower(deps)),
    endorse: answering(endorseAccount(deps)),
    unendorse: answering(unendorseAccount(deps)),
    writeNote: async (_call, request) => {
      await note(pairOf(request), request.comment)
      return relationship(request)
    },
    readEndorsements: (_call, request) => endorsed(request),
    readFamiliarFollowers: async (_call, { viewerId, accountIds }) => ({
      familiarFollowers: await familiar(viewerId, accountIds.slice(0, BATCHES.relationships)),
    }),
    readFollowers: (_call, request) => others('followers', request),
    readFollowing: (_call, request) => others('following', request),
    readFollowRequests: async (_call, request) => (await list('follow-requests', request)).page,
    authorizeFollowRequest: async (call, request) => {
      await authorize({ ownerId: request.viewerId, requesterId: request.accountId, call })
      return relationship(request)
    },
    rejectFollowRequest: async (call, request) => {
      await reject({ ownerId: request.viewerId, requesterId: request.accountId, call })
      return relationship(request)
    },
    readBlocks: async (_call, request) => (await list('blocks', request)).page,
    readMutes: async (_call, request) => {
      const { rows, page } = await list('mutes', request)
      const ends = new Map(rows.map((row) => [row.accountId, row.expiresAtSeconds]))
      return { page, expiresAtSeconds: page.accounts.map((account) => ends.get(account.id) ?? 0) }
    },
  })
}
