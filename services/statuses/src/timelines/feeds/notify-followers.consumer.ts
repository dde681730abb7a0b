import type { StatusPublished } from '@rookery/contracts/events'
import { consumer, type Outbox } from '@rookery/events'
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

/** Tells followers who asked for it (`notify`) of what people post (beyond-the-spec 1.14). */
export const notifyFollowers = ({ outbox, clock }: Deps) =>
  consumer<StatusesTables, 'statusPublished'>({
    name: 'statuses.tell-followers',
    topic: 'statuses.v1',
    kinds: ['statusPublished'],
    async handle(tx, received) {
      const ids = received.flatMap(({ event }) => (notifiesFollowers(event.value) ? [event.value.statusId] : []))
      if (ids.length === 0) return
      const now = new Date(clock.now())
      const notified = await readSubscribers(tx, ids, now)
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
