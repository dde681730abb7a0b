import { createHash } from 'node:crypto'
import { type Database, transact } from '@rookery/database'
import { type Consumer, consumer, type Received } from '@rookery/events'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Deliver, Outbound } from '../../contract.ts'
import type { FederationTables } from '../../database/schema.ts'
import { accountBlocked, accountUnblocked } from './blocks.ts'
import { concernOf, isConcerned, KINDS, type Kind } from './concern.rules.ts'
import { readElsewhere } from './concern.store.ts'
import type { Sends, SentDeps } from './deps.ts'
import { accountFollowed, accountUnfollowed, followRefused, followRequested, followRequestWithdrawn } from './follows.ts'
import { pollVoted, statusFavourited, statusUnfavourited } from './interactions.ts'
import { accountClosed, accountMoved, profileChanged, reportForwarded, statusPinned, statusUnpinned } from './people.ts'
import { quoteRevoked } from './quotes.ts'
import { pollCounted, statusDeleted, statusEdited, statusPublished, statusQuotingChanged } from './statuses.ts'

const SERVICE = 'federation'
const SEND_ACTIVITIES = 'send-activities'
/** The number of job queues; the events of one account are processed in order in one of them. */
const QUEUES = 16

const queueOf = (key: string): string => `activities-${createHash('sha256').update(key).digest().readUInt16BE() % QUEUES}`

type Payload = Pick<Received<Kind>, 'id' | 'key' | 'occurredAtMilliseconds' | 'event'>

/**
 * Turns events of statuses into jobs: reading what to send needs a call, and calls are not made in a transaction. Events that concern no
 * remote account are ignored.
 */
export const sendActivities = (): Consumer<FederationTables> =>
  consumer({
    name: 'federation.activities',
    topic: 'statuses.v1',
    kinds: KINDS,
    isUnhurried: true,
    async pick(db, received) {
      const concerns = received.map(({ event }) => concernOf(event))
      const accountIds = [...new Set(concerns.flatMap(({ by, to }) => [by, ...to]).filter(Boolean))]
      const authorIds = [...new Set(concerns.flatMap(({ by, toFollowers }) => (toFollowers ? [by] : [])))]
      const [elsewhere] = await readElsewhere(db, { accountIds, authorIds })
      return received.filter((_, index) => elsewhere && isConcerned(concerns[index]!, elsewhere))
    },
    async handle(tx, received) {
      for (const { id, key, occurredAtMilliseconds, event } of received) {
        const payload: Payload = { id, key, occurredAtMilliseconds, event }
        await addJob(tx, SERVICE, SEND_ACTIVITIES, payload, { key: id, queue: queueOf(key) })
      }
    },
  })

/** Creates the deliveries of one event: rendered once, and written in one transaction. */
export const sendActivitiesJob = (deps: SentDeps & { database: Database<FederationTables>; deliver: Deliver }): Job => {
  const byKind: { readonly [K in Kind]: Sends<K> } = {
    statusPublished: statusPublished(deps),
    statusEdited: statusEdited(deps),
    statusDeleted: statusDeleted(deps),
    statusQuotingChanged: statusQuotingChanged(deps),
    quoteRevoked: quoteRevoked(deps),
    pollCounted: pollCounted(deps),
    followRequested: followRequested(deps),
    followRequestWithdrawn: followRequestWithdrawn(deps),
    accountFollowed: accountFollowed(deps),
    accountUnfollowed: accountUnfollowed(deps),
    followRefused: followRefused(deps),
    accountBlocked: accountBlocked(deps),
    accountUnblocked: accountUnblocked(deps),
    statusFavourited: statusFavourited(deps),
    statusUnfavourited: statusUnfavourited(deps),
    pollVoted: pollVoted(deps),
    profileChanged: profileChanged(deps),
    statusPinned: statusPinned(deps),
    statusUnpinned: statusUnpinned(deps),
    accountMoved: accountMoved(deps),
    accountClosed: accountClosed(deps),
    reportForwarded: reportForwarded(deps),
  }
  return job<Payload>({
    name: SEND_ACTIVITIES,
    // Otherwise an Undo could overtake the activity that it undoes, which would then remain in effect elsewhere.
    inOrder: true,
    async run(payload) {
      const send = byKind[payload.event.$case] as (received: Payload) => Promise<readonly Outbound[]>
      const outbound = (await send(payload)).filter(({ accountIds, inboxes }) => (accountIds?.length ?? 0) + (inboxes?.length ?? 0) > 0)
      if (outbound.length === 0) return
      await transact(deps.database.db, async (tx) => {
        for (const one of outbound) await deps.deliver(tx, one)
      })
    },
  })
}
