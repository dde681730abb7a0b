/** One status in one person's home. */
export type FeedTable = { accountId: string; statusId: string; reblogOfId: string | null }

/** What is known of a person's home beside its entries. No one has a row before they first follow someone. */
export type HomeTable = {
  accountId: string
  /** What is older is not stored; 0 when everything is. */
  floorId: string
  /** Its owner has been away: nothing is placed there. */
  isResting: boolean
  /** The day its owner last read it, in UTC. */
  readOn: string
  comparedAt: Date | null
}

/** An author so many follow that their statuses above an id are not written to homes, but found when a home is read (fan-out on read). */
export type PulledAuthorTable = { accountId: string; sinceId: string }
