/** The notifications of a recipient with the same key, maintained by triggers of the notification table. */
export type NotificationGroupTable = {
  recipientId: string
  groupKey: string
  type: string
  statusId: string | null
  notificationsCount: string
  latestId: string
  latestAt: Date
}
