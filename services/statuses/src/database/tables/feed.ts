/** One status in one account's home. */
export type FeedTable = { accountId: string; statusId: string; reblogOfId: string | null }

/** The state of an account's home, beside its entries. No row exists before the first follow. */
export type HomeTable = {
  accountId: string
  /** The lowest stored id; 0 if the home is complete. */
  floorId: string
  /** Its owner is inactive: fan-out skips it. */
  isResting: boolean
  /** The day its owner last read it, in UTC. */
  readOn: string
  comparedAt: Date | null
}

/** An author with so many followers that statuses above an id are not written to homes, but found when a home is read (fan-out on read). */
export type PulledAuthorTable = { accountId: string; sinceId: string }
