/** Whose files no one gets while staff suspend them, and how an act left that: one that is older and comes later changes nothing. */
export type WithheldOwnerTable = {
  ownerId: string
  /** The act that decided it. */
  actId: string
  isWithheld: boolean
  /** When the row has said all it had to; null while its owner is suspended. */
  expiresAt: Date | null
}
