/** Mentions by one account that the recipient's policy filters, until the recipient decides. */
export type NotificationRequestTable = {
  /** The id of the notification that opened it. */
  id: string
  recipientId: string
  actorId: string
  createdAt: Date
}
