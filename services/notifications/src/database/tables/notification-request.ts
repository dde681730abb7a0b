/** Mentions by one account that the recipient's policy holds back, until the recipient decides. */
export type NotificationRequestTable = {
  /** That of the notification which opened it. */
  id: string
  recipientId: string
  actorId: string
  createdAt: Date
}
