import { LiveMessage } from '@rookery/contracts/events'
import type { NewNotification } from './intake.store.ts'

/** What open connections of the recipient are told of a new notification, encoded. */
export const liveNotification = (notification: NewNotification): Uint8Array =>
  LiveMessage.encode({
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
