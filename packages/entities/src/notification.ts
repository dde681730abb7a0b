import type { Notification } from '@rookery/contracts/notifications'
import { detailEntity } from './notification-detail.ts'
import { timestamp } from './timestamp.ts'

/** A notification without its account and status, which notificationJson adds. */
const entity = ({ id, type, createdAtMilliseconds, groupKey, isFiltered }: Notification) => ({
  id,
  type,
  created_at: timestamp(createdAtMilliseconds),
  group_key: groupKey ?? `ungrouped-${id}`,
  ...(isFiltered ? { filtered: true } : {}),
})

/** The JSON of a notification's account and, for types that have one, its status or report. */
type NotificationParts = { account: Buffer; status?: Buffer | undefined; report?: Buffer | undefined }

/** Notification (spec, Resources; beyond-the-spec 1.1) from the JSON of its parts. */
export const notificationJson = (notification: Notification, { account, status, report }: NotificationParts): Buffer => {
  const head = JSON.stringify(entity(notification)).slice(0, -1)
  const parts = [Buffer.from(`${head},"account":`), account]
  if (status) parts.push(Buffer.from(',"status":'), status)
  if (report) parts.push(Buffer.from(',"report":'), report)
  if (notification.detail)
    parts.push(Buffer.from(`,${JSON.stringify(detailEntity(notification.detail, { ...notification, account })).slice(1, -1)}`))
  parts.push(Buffer.from('}'))
  return Buffer.concat(parts)
}
