/** Tracks how long the oldest event of an outbox has stayed the same, whichever relay holds the lock. */
type StalledOutbox = {
  /** Records the oldest event; undefined when the outbox is empty. */
  note(oldest: string | undefined): void
  /** How long the oldest event has been the same one, in milliseconds; 0 when the outbox is empty. */
  milliseconds(): number
}

export const stalledOutbox = (): StalledOutbox => {
  let seen: { id: string; since: number } | undefined
  return {
    note(oldest) {
      if (oldest === seen?.id) return
      seen = oldest === undefined ? undefined : { id: oldest, since: performance.now() }
    },
    milliseconds: () => (seen ? performance.now() - seen.since : 0),
  }
}
