import { LiveMessage } from '@rookery/contracts/events'
import type { StoredNotification } from './intake.store.ts'

/** The live message for the recipient's streams, encoded. */
export const liveNotification = (notification: StoredNotification, eventId: string): Uint8Array =>
  LiveMessage.encode({
    eventId,
    event: {
      $case: 'notification',
      value: {
        id: notification.id,
        recipientId: notification.recipientId,
        type: notification.type,
        createdAtMilliseconds: notification.createdAt.getTime(),
        accountId: notification.actorId,
        statusId: notification.statusId ?? '',
        reportId: notification.reportId ?? undefined,
        groupKey: notification.groupKey ?? undefined,
      },
    },
  }).finish()
