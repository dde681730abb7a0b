import type { StatusPublished } from '@rookery/contracts/events'
import { consumer, type Outbox, type Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import { addressRecipients } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { holdActs, readSubscribers } from './feed.store.ts'

type Deps = { outbox: Outbox; clock: Clock }

/**
 * Original posts and replies to oneself: no replies to others, no boosts, nothing direct (mentions are notified otherwise), and nothing fetched on
 * request.
 */
const notifiesFollowers = (status: StatusPublished) =>
  !status.isFetched &&
  !status.reblogOfId &&
  status.visibility !== 'direct' &&
  (!status.inReplyToAccountId || status.inReplyToAccountId === status.authorId)

const idsOf = (received: readonly Received<'statusPublished'>[]) => received.map(({ event }) => event.value.statusId)

/** Notifies followers who asked for it (`notify`) of an author's posts (beyond-the-spec 1.14). */
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
      // A concurrent mute, which deletes notifications, must not commit before this one is written.
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
