/** The notifications of a recipient that have the same key, kept by triggers of the table of notifications. */
export type NotificationGroupTable = {
  recipientId: string
  groupKey: string
  type: string
  statusId: string | null
  notificationsCount: string
  latestId: string
  latestAt: Date
}
