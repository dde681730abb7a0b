/** Notices that the oldest event of an outbox stays the same, no matter who relays. */
type StalledOutbox = {
  /** The oldest event that was seen; none when the outbox is empty. */
  note(oldest: string | undefined): void
  /** For how long it has been the same one, in milliseconds; 0 when none waits. */
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
