/** One status in one person's home. */
export type FeedTable = { account_id: string; status_id: string; reblog_of_id: string | null }

/** What is known of a person's home beside its entries. Nobody has a row before they first follow somebody. */
export type HomeTable = {
  account_id: string
  /** What is older is not stored; 0 when everything is. */
  floor_id: string
  /** Its owner has been away: nothing is placed there. */
  is_resting: boolean
  /** The day its owner last read it, in UTC. */
  read_on: string
  compared_at: Date | null
}
