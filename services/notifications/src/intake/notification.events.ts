import { NotificationDetail } from '@rookery/contracts/common'
import { LiveMessage } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'
import { reportIdOf } from '../inbox/index.ts'
import type { Placed, StoredNotification } from './intake.store.ts'

/** The event that a notification was stored. */
export const notificationStored = ({ id, recipientId: accountId, type, actorId, statusId }: Placed): OutboxEvent => ({
  key: accountId,
  event: { $case: 'notificationStored', value: { accountId, notification: { id, type, actorId, statusId: statusId ?? '' } } },
})

/** The encoded live message for the recipient's streams. */
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
        reportId: reportIdOf(notification) ?? undefined,
        detail: notification.detail ? NotificationDetail.decode(notification.detail) : undefined,
        groupKey: notification.groupKey ?? undefined,
      },
    },
  }).finish()
