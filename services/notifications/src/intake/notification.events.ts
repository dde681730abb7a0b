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
        recipientId: notification.recipient_id,
        type: notification.type,
        createdAtMilliseconds: notification.created_at.getTime(),
        accountId: notification.actor_id,
        statusId: notification.status_id ?? '',
        reportId: notification.report_id ?? undefined,
      },
    },
  }).finish()
