import type { PublishLive } from '@rookery/ephemeral'
import { type Consumer, consumer } from '@rookery/events'
import type { NotificationsTables } from '../database/schema.ts'
import { liveNotificationsMerged } from './request.events.ts'

/** Publishes to open streams that notifications of accepted requests were merged. */
export const publishMerged = ({ publishLive }: { publishLive: PublishLive }): Consumer<NotificationsTables> =>
  consumer({
    name: 'notifications.publish-merged',
    topic: 'notifications.v1',
    kinds: ['notificationsMerged'],
    handle: async () => {},
    publishAfter: (received) =>
      publishLive((connected) => {
        const present = new Set(connected)
        return received.flatMap(({ id, event }) =>
          present.has(event.value.accountId) ? [liveNotificationsMerged(event.value.accountId, id)] : [],
        )
      }),
  })
