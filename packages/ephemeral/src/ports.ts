/**
 * Messages to the streams that are open now; they are not kept. What may not have arrived is reported as a gap, so that streams can end and
 * their clients read again. Adapters: redis/, memory/; one conformance suite for both.
 */
export type LiveChannel = {
  /** Resolves to whether the store has taken the message; it does not wait for readers and never rejects. */
  publish(message: Uint8Array): Promise<boolean>
  /** Tells the readers of every process that they may have missed messages, as soon as the store can be reached. Never throws. */
  reportGap(): void
  /**
   * Returns what ends the subscription. `onGap` is called when messages may not have reached this process, or not have been sent to
   * it: the connection or the registration of its presence was lost, or a publisher reports it.
   */
  subscribe(read: (message: Uint8Array) => void, onGap?: () => void): Promise<() => void>
  /** What stands between this process and the channel, or undefined when all is well. */
  fault(): string | undefined
}

/** Who has a stream open somewhere; kept fresh by the processes that hold the connections, gone soon after they die. */
export type Presence = {
  /**
   * One more connection of the account on this process. Resolves to true once `connected` of every process names the account, and to false,
   * without counting it, when the store is unreachable.
   */
  arrive(accountId: string): Promise<boolean>
  /** One connection fewer. */
  leave(accountId: string): void
  /** Every account with a connection, on any process; undefined when the store is unreachable. */
  connected(): Promise<string[] | undefined>
}

/** How often something happened within the current fixed window (windows start at multiples of their length since 1970). */
export type RateCounter = {
  /**
   * Counts one more for each key, or another amount (0 only reads), and returns the counts, in order. While the store is unreachable,
   * each process counts for itself; nothing waits for it.
   */
  hit(keys: readonly { key: string; windowSeconds: number; amount?: number }[]): Promise<number[]>
}

/** All three over one store. */
export type Ephemeral = { live: LiveChannel; presence: Presence; rates: RateCounter; close(): Promise<void> }
