import { BATCHES } from '@rookery/contracts/limits'
import type { Relationship } from '@rookery/contracts/statuses'
import { jsonList, relationshipEntity } from '@rookery/entities'
import { isId } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { flag, form, givenTexts, seconds, text, textList } from '../http/fields.ts'
import { recordId } from './replies.ts'

/** The requested accounts, each once, up to the limit. */
const accountIdsOf = (ids: readonly string[]) => [...new Set(ids.filter(isId))].slice(0, BATCHES.relationships)

export const readRelationships = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/relationships',
  access: User('read:follows'),
  summary: 'The viewer’s relationships to these accounts.',
  input: form({ id: textList(), with_suspended: flag() }),
  handle: async ({ call, input, viewerId }, { graph }) => {
    const accountIds = accountIdsOf(input.id)
    const { relationships } = await graph.readRelationships(call, { viewerId, accountIds, withSuspended: input.with_suspended })
    return relationships.map(relationshipEntity)
  },
})

export const readFamiliarFollowers = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/familiar_followers',
  access: User('read:follows'),
  summary: 'Familiar followers: followers of these accounts whom the viewer follows.',
  input: form({ id: textList() }),
  handle: async ({ call, input, viewerId }, { graph, render }) => {
    const accountIds = accountIdsOf(input.id)
    const { familiarFollowers } = await graph.readFamiliarFollowers(call, { viewerId, accountIds })
    return jsonList(
      familiarFollowers.map(({ id, accounts }) =>
        Buffer.concat([Buffer.from(`{"id":"${id}","accounts":`), render.accounts(accounts), Buffer.from('}')]),
      ),
    )
  },
})

export const followAccount = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/follow',
  access: User('write:follows'),
  summary: 'Follows an account, or requests to; a repeat changes the options.',
  // languages[]: absent leaves them unchanged, given (also empty) replaces them.
  input: form({ reblogs: flag(), notify: flag(), languages: givenTexts() }),
  handle: async ({ call, params, input, viewerId }, { graph }) =>
    relationshipEntity(
      await graph.follow(call, {
        viewerId,
        accountId: recordId(params),
        reblogs: input.reblogs,
        notify: input.notify,
        languages: input.languages && { languages: input.languages },
      }),
    ),
})

/** The maximum duration of a mute, a hundred years. */
const CENTURY_SECONDS = 3_155_760_000

export const muteAccount = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/mute',
  access: User('write:mutes'),
  summary: 'Mutes an account, for a time or without end.',
  input: form({ notifications: flag(), duration: seconds('Duration') }),
  handle: async ({ call, params, input, viewerId }, { graph }) =>
    relationshipEntity(
      await graph.mute(call, {
        viewerId,
        accountId: recordId(params),
        notifications: input.notifications ?? true,
        durationSeconds: Math.min(input.duration ?? 0, CENTURY_SECONDS),
      }),
    ),
})

export const writeNote = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/note',
  access: User('write:accounts'),
  summary: 'Sets a private note on an account; an empty one removes it.',
  input: form({ comment: text() }),
  handle: async ({ call, params, input, viewerId }, { graph }) =>
    relationshipEntity(await graph.writeNote(call, { viewerId, accountId: recordId(params), comment: input.comment })),
})

type Act = (call: Call, request: { viewerId: string; accountId: string }) => Promise<Relationship>

const act = (path: string, scope: string, summary: string, choose: (graph: Clients['graph']) => Act) =>
  endpoint({
    method: 'POST',
    path,
    access: User(scope),
    summary,
    handle: async ({ call, params, viewerId }, { graph }) =>
      relationshipEntity(await choose(graph)(call, { viewerId, accountId: recordId(params) })),
  })

export const unfollowAccount = act(
  '/api/v1/accounts/:id/unfollow',
  'write:follows',
  'Ends a follow or withdraws a request.',
  (graph) => graph.unfollow,
)
export const removeFollower = act(
  '/api/v1/accounts/:id/remove_from_followers',
  'write:follows',
  'Removes a follower of the viewer.',
  (graph) => graph.removeFollower,
)
export const blockAccount = act('/api/v1/accounts/:id/block', 'write:blocks', 'Blocks an account.', (graph) => graph.block)
export const unblockAccount = act('/api/v1/accounts/:id/unblock', 'write:blocks', 'Ends a block.', (graph) => graph.unblock)
export const unmuteAccount = act('/api/v1/accounts/:id/unmute', 'write:mutes', 'Ends a mute.', (graph) => graph.unmute)
export const authorizeFollowRequest = act(
  '/api/v1/follow_requests/:id/authorize',
  'write:follows',
  'Accepts a follow request.',
  (graph) => graph.authorizeFollowRequest,
)
export const rejectFollowRequest = act(
  '/api/v1/follow_requests/:id/reject',
  'write:follows',
  'Rejects a follow request.',
  (graph) => graph.rejectFollowRequest,
)
