/** The actor's notifications pass regardless of the recipient's policy. */
export type NotificationPermissionTable = {
  recipientId: string
  actorId: string
  /** Nothing of the actor is still held back. */
  isMerged: boolean
}
