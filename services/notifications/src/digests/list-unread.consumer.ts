import { type Consumer, consumer, type Outbox } from '@rookery/events'
import type { NotificationsTables } from '../database/schema.ts'
import { unreadNotificationsListed } from './digest.events.ts'
import { readUnread } from './unread.store.ts'

/** Lists the unread notifications of accounts whose digest is due; nothing for accounts without any. */
export const listUnread = ({ outbox }: { outbox: Outbox }): Consumer<NotificationsTables> =>
  consumer({
    name: 'notifications.digests',
    topic: 'auth.v1',
    kinds: ['digestDue'],
    async handle(tx, received) {
      const due = new Map(received.map(({ event }) => [event.value.accountId, event.value.afterMilliseconds]))
      const wanted = [...due].map(([accountId, after]) => ({ accountId, after: new Date(after) }))
      const unread = Map.groupBy(await readUnread(tx, wanted), ({ accountId }) => accountId)
      const events = [...unread].map(([accountId, rows]) =>
        unreadNotificationsListed(
          accountId,
          rows.map(({ id, type, actorId, statusId }) => ({ id, type, actorId, statusId: statusId ?? '' })),
        ),
      )
      await outbox.append(tx, events)
    },
  })
