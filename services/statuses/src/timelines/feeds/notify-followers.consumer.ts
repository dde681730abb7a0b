import type { StatusPublished } from '@rookery/contracts/events'
import { consumer, type Outbox, type Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import { addressRecipients } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { holdActs, readSubscribers } from './feed.store.ts'

type Deps = { outbox: Outbox; clock: Clock }

/** Posts of one's own, no answers to others, no boosts, nothing direct: mentions notify of those. Nothing that someone asked another server for. */
const notifiesFollowers = (status: StatusPublished) =>
  !status.isFetched &&
  !status.reblogOfId &&
  status.visibility !== 'direct' &&
  (!status.inReplyToAccountId || status.inReplyToAccountId === status.authorId)

const idsOf = (received: readonly Received<'statusPublished'>[]) => received.map(({ event }) => event.value.statusId)

/** Tells followers who asked for it (`notify`) of what people post (beyond-the-spec 1.14). */
export const notifyFollowers = ({ outbox, clock }: Deps) =>
  consumer<StatusesTables, 'statusPublished'>({
    name: 'statuses.tell-followers',
    topic: 'statuses.v1',
    kinds: ['statusPublished'],
    concerns: ({ value }) => notifiesFollowers(value),
    async pick(db, received) {
      const subscribed = new Set((await readSubscribers(db, idsOf(received), new Date(clock.now()))).map(({ statusId }) => statusId))
      return received.filter(({ event }) => subscribed.has(event.value.statusId))
    },
    async handle(tx, received) {
      const now = new Date(clock.now())
      const notified = await readSubscribers(tx, idsOf(received), now)
      if (notified.length === 0) return
      // What a mute takes away must not come after it.
      await holdActs(
        tx,
        notified.map(({ followerId }) => followerId),
      )
      const acts = notified.map(({ followerId, authorId, statusId }) => ({
        recipientId: followerId,
        actorId: authorId,
        reason: 'status',
        statusId,
      }))
      await outbox.append(tx, await addressRecipients(tx, acts, now))
    },
  })
