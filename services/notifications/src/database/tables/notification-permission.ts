/** The actor's notifications are accepted, whatever the recipient's policy. */
export type NotificationPermissionTable = {
  recipientId: string
  actorId: string
  /** Whether none of the actor's notifications are filtered any more. */
  isMerged: boolean
}
