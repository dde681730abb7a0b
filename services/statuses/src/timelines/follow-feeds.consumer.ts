import { LiveMessage } from '@rookery/contracts/events'
import { afterCommit } from '@rookery/database'
import type { LiveChannel } from '@rookery/ephemeral'
import { consumer, type Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { FeedWriter } from './feed.store.ts'
import { HomeWriter } from './home-writer.store.ts'
import { refreshHome } from './refresh-home.ts'

const KINDS = [
  'accountFollowed',
  'accountUnfollowed',
  'followChanged',
  'accountBlocked',
  'accountUnblocked',
  'accountMuted',
  'accountUnmuted',
  'listMembersAdded',
  'listMembersRemoved',
  'listChanged',
  'listDeleted',
  'tagFollowed',
  'tagUnfollowed',
] as const
type Kind = (typeof KINDS)[number]

/** Whose homes a fact changes: the person's who acted; a block changes both. */
const homesOf = (fact: Received<Kind>['fact']): string[] => {
  if (fact.$case === 'accountBlocked' || fact.$case === 'accountUnblocked') return [fact.value.accountId, fact.value.targetId]
  return [fact.value.accountId]
}

/** Keeps homes in step with the graph, lists and followed tags: whoever acted has a home made anew (beyond-the-spec 1.12, 1.15). */
export const followFeeds = ({ live, clock }: { live: LiveChannel; clock: Clock }) =>
  consumer<StatusesTables, Kind>({
    name: 'statuses.follow-feeds',
    topic: 'statuses.v1',
    kinds: KINDS,
    // A list that did not keep its members to itself changes no home by going.
    concerns: (fact) => fact.$case !== 'listDeleted' || fact.value.wasExclusive,
    async handle(tx, received) {
      await new FeedWriter(tx).claim()
      const silencing = received.flatMap(({ fact }) =>
        fact.$case === 'accountBlocked' || fact.$case === 'accountMuted' ? [fact.value.accountId] : [],
      )
      for (const accountId of new Set(received.flatMap(({ fact }) => homesOf(fact)))) {
        const cleared = await refreshHome(tx, accountId, { now: new Date(clock.now()) })
        if (!silencing.includes(accountId) || cleared.length === 0) continue
        const reader = { accountId, listIds: await new HomeWriter(tx).listsOf(accountId) }
        afterCommit(tx, () => {
          for (const statusId of cleared) live.publish(LiveMessage.encode(removedFrom(reader, statusId)).finish())
        })
      }
    },
  })

/** A status that left one person's home and whichever of their lists showed it; it is still there for others. */
const removedFrom = ({ accountId, listIds }: { accountId: string; listIds: string[] }, statusId: string): LiveMessage => ({
  event: {
    $case: 'deletion',
    value: { statusId, recipientIds: [accountId], isListed: false, isLocal: true, hasMedia: false, tags: [], listIds },
  },
})
