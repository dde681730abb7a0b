import { LiveMessage } from '@rookery/contracts/events'
import { afterCommit, type Tx } from '@rookery/database'
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
      for (const accountId of new Set(received.flatMap(({ fact }) => homesOf(fact)))) {
        const cleared = await refreshHome(tx, accountId, { now: new Date(clock.now()) })
        const silenced = received.flatMap(({ fact }) =>
          isSilencing(fact) && fact.value.accountId === accountId ? [fact.value.targetId] : [],
        )
        if (silenced.length === 0) continue
        const messages = await takenBack(tx, { accountId, cleared, silenced })
        afterCommit(tx, () => {
          for (const message of messages) live.publish(LiveMessage.encode(message).finish())
        })
      }
    },
  })

type Silencing = Extract<Received<Kind>['fact'], { $case: 'accountBlocked' | 'accountMuted' }>
const isSilencing = (fact: Received<Kind>['fact']): fact is Silencing => fact.$case === 'accountBlocked' || fact.$case === 'accountMuted'

/** Statuses of somebody on an exclusive list that its reader may have in view: nothing tells which they have read that far. */
const IN_VIEW = 200

/** What to tell somebody who blocked or muted others: what left their home is gone from their lists too, and exclusive lists held more. */
const takenBack = async (
  tx: Tx<StatusesTables>,
  { accountId, cleared, silenced }: { accountId: string; cleared: readonly string[]; silenced: readonly string[] },
): Promise<LiveMessage[]> => {
  const homes = new HomeWriter(tx)
  const listIds = await homes.listsOf(accountId)
  const exclusive = await homes.exclusiveListsOf(accountId)
  const kept = exclusive.length > 0 ? await homes.newestOf(silenced, IN_VIEW) : []
  const fromHome = new Set(cleared)
  return [
    ...cleared.map((statusId) => removedFrom({ accountIds: [accountId], listIds }, statusId)),
    ...kept.filter((id) => !fromHome.has(id)).map((statusId) => removedFrom({ accountIds: [], listIds: exclusive }, statusId)),
  ]
}

/** A status that left some homes and lists; it is still there for others. */
const removedFrom = ({ accountIds, listIds }: { accountIds: string[]; listIds: string[] }, statusId: string): LiveMessage => ({
  event: {
    $case: 'deletion',
    value: { statusId, recipientIds: accountIds, isListed: false, isLocal: true, hasMedia: false, tags: [], listIds },
  },
})
