/** Messages to whoever is connected now; lost when nobody is. Adapters: redis/, memory/; one conformance suite for both. */
export type LiveChannel = {
  /** Never waits for the readers, never throws: a lost live message is a reload, not a lost record. */
  publish(message: Uint8Array): void
  /** Answers with what ends the subscription. */
  subscribe(read: (message: Uint8Array) => void): Promise<() => void>
  /** What stands between this process and the channel, or undefined when all is well. */
  fault(): string | undefined
}

/** Who has a connection open somewhere; kept fresh by the processes that hold the connections, gone soon after they die. */
export type Presence = {
  /** One more connection of the account on this process. */
  arrive(accountId: string): void
  /** One connection fewer. */
  leave(accountId: string): void
  /** Everybody with a connection, on any process. When the store is out of reach: nobody. */
  connected(): Promise<string[]>
}

/** How often something happened within the current fixed window (windows start at multiples of their length since 1970). */
export type RateCounter = {
  /**
   * Counts one more for each key, or another amount (0 only reads), and answers with the counts, in order. While the store is out of reach,
   * each process counts for itself; nothing waits for it.
   */
  hit(keys: readonly { key: string; windowSeconds: number; amount?: number }[]): Promise<number[]>
}

/** All three over one store. */
export type Ephemeral = { live: LiveChannel; presence: Presence; rates: RateCounter; close(): Promise<void> }
