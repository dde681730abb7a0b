import { BATCHES, PAGE_SIZES } from '@rookery/contracts/limits'
import {
  type FollowRequest,
  GraphDefinition,
  type MuteRequest,
  type ReadAccountListRequest,
  type Relationship,
  type WriteNoteRequest,
} from '@rookery/contracts/statuses'
import { type Database, pageWithin } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import { type Call, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { authorizeFollowRequest, rejectFollowRequest } from './answer-follow-request.ts'
import { blockAccount, unblockAccount } from './block-account.ts'
import { endorseAccount, unendorseAccount } from './endorse-account.ts'
import { followAccount, unfollowAccount } from './follow-account.ts'
import { muteAccount, unmuteAccount } from './mute-account.ts'
import { readFamiliarFollowers } from './read-familiar-followers.ts'
import { readEndorsements, readFollows, readMutes, readPeople } from './read-people.ts'
import { readRelationships } from './read-relationships.ts'
import { removeFollower } from './remove-follower.ts'
import { writeNote } from './write-note.ts'

type Deps = { database: Database<StatusesTables>; views: Views; outbox: Outbox; clock: Clock }
type Named = { viewerId: string; accountId: string }

/** The parameters of a list, within the contract's sizes. */
const within = ({ accountId, viewerId, page }: ReadAccountListRequest) => ({
  accountId,
  viewerId,
  page: pageWithin(PAGE_SIZES.people, page),
})
const pairOf = ({ viewerId, accountId }: Named) => ({ accountId: viewerId, targetId: accountId })
const requestOf = ({ viewerId, accountId }: Named) => ({ ownerId: viewerId, requesterId: accountId })

type Relationships = ReturnType<typeof readRelationships>

/** A method that acts, and returns the resulting relationship. */
const answering =
  <Request extends Named>(read: Relationships, act: (request: Request, call: Call) => Promise<void>) =>
  async (call: Call, request: Request): Promise<Relationship> => {
    await act(request, call)
    return orNotFound((await read(request.viewerId, [request.accountId], { withSuspended: true }))[0])
  }

/** The methods that change relationships. */
const actsOf = (deps: Deps, relationships: Relationships) => {
  const [follow, mute, note] = [followAccount(deps), muteAccount(deps), writeNote(deps)]
  const [authorize, reject] = [authorizeFollowRequest(deps), rejectFollowRequest(deps)]
  const onPair = (act: (pair: ReturnType<typeof pairOf>) => Promise<void>) => answering(relationships, (request) => act(pairOf(request)))
  return {
    follow: answering(relationships, ({ reblogs, notify, languages, ...named }: FollowRequest) =>
      follow(pairOf(named), { reblogs, notify, languages: languages?.languages }),
    ),
    unfollow: onPair(unfollowAccount(deps)),
    block: onPair(blockAccount(deps)),
    unblock: onPair(unblockAccount(deps)),
    mute: answering(relationships, (request: MuteRequest) => mute(pairOf(request), request)),
    unmute: onPair(unmuteAccount(deps)),
    removeFollower: onPair(removeFollower(deps)),
    endorse: onPair(endorseAccount(deps)),
    unendorse: onPair(unendorseAccount(deps)),
    writeNote: answering(relationships, (request: WriteNoteRequest) => note(pairOf(request), request.comment)),
    authorizeFollowRequest: answering(relationships, (request, call) => authorize({ ...requestOf(request), call })),
    rejectFollowRequest: answering(relationships, (request, call) => reject({ ...requestOf(request), call })),
  }
}

/** The methods that read account lists. */
const listsOf = (deps: Deps) => {
  const [people, follows, endorsements, mutes] = [readPeople(deps), readFollows(deps), readEndorsements(deps), readMutes(deps)]
  return {
    readFollowers: (_call: Call, request: ReadAccountListRequest) => follows('followers', within(request)),
    readFollowing: (_call: Call, request: ReadAccountListRequest) => follows('following', within(request)),
    readEndorsements: (_call: Call, request: ReadAccountListRequest) => endorsements(within(request)),
    readFollowRequests: (_call: Call, request: ReadAccountListRequest) => people('follow-requests', within(request)),
    readBlocks: (_call: Call, request: ReadAccountListRequest) => people('blocks', within(request)),
    readMutes: (_call: Call, request: ReadAccountListRequest) => mutes(within(request)),
  }
}

/** Serves Graph of the contract: follows, blocks, mutes, and account lists. */
export const createGraphRpc = (deps: Deps): Handler => {
  const relationships = readRelationships(deps)
  const familiar = readFamiliarFollowers(deps)
  return handler(GraphDefinition, {
    ...actsOf(deps, relationships),
    ...listsOf(deps),
    readRelationships: async (_call, { viewerId, accountIds, withSuspended }) => ({
      relationships: await relationships(viewerId, accountIds.slice(0, BATCHES.relationships), { withSuspended }),
    }),
    readFamiliarFollowers: async (_call, { viewerId, accountIds }) => ({
      familiarFollowers: await familiar(viewerId, accountIds.slice(0, BATCHES.relationships)),
    }),
  })
}
