/** Owners whose files are not served while they are suspended, with the latest act: older acts that arrive later are ignored. */
export type WithheldOwnerTable = {
  ownerId: string
  /** The act that decided it. */
  actId: string
  isWithheld: boolean
  /** When the row may be deleted; null while its owner is suspended. */
  expiresAt: Date | null
}
