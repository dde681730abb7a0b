import type { NotificationRequest } from '@rookery/contracts/notifications'
import { timestamp } from './timestamp.ts'

/** NotificationRequest (beyond-the-spec 1.1) from the JSON of its account and of its latest status, if the viewer may see it. */
export const notificationRequestJson = (request: NotificationRequest, parts: { account: Buffer; status?: Buffer | undefined }): Buffer => {
  const own = {
    id: request.id,
    created_at: timestamp(request.createdAtMilliseconds),
    updated_at: timestamp(request.updatedAtMilliseconds),
    notifications_count: String(request.notificationsCount),
  }
  const head = JSON.stringify(own).slice(0, -1)
  return Buffer.concat([
    Buffer.from(`${head},"account":`),
    parts.account,
    Buffer.from(',"last_status":'),
    parts.status ?? Buffer.from('null'),
    Buffer.from('}'),
  ])
}
