/**
 * Owners whose files are not served while staff suspend them, with the act that decided it: an older act that comes later changes nothing.
 */
export type WithheldOwnerTable = {
  ownerId: string
  /** The act that decided it. */
  actId: string
  isWithheld: boolean
  /** When the row has said all it had to; null while its owner is suspended. */
  expiresAt: Date | null
}
