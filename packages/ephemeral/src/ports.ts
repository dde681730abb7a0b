import type { Position } from './position.ts'

/** A live message where it stands in the log. */
export type LiveEntry = {
  readonly message: Uint8Array
  readonly position: Position
  /** It was published before the subscription began: it is there to be resumed from, not to be delivered. */
  readonly isKept: boolean
}

/** A place in the log where live messages may be missing. */
export type LiveGap = {
  /** What comes before this position is not known; undefined while the log is out of reach and nothing is lost yet. */
  readonly from?: Position
  /** It was there when the subscription began. */
  readonly isKept: boolean
}

/** What reads the live log. */
export type LiveReader = { read(entry: LiveEntry): void; onGap?(gap: LiveGap): void }

/**
 * Messages to open streams, in one log for all processes: every reader gets them in the same order at the same positions. The log is
 * bounded, also in time, and may be lost; messages that may not have arrived are reported as a gap. Adapters: redis/, memory/; one
 * conformance suite for both.
 */
export type LiveChannel = {
  /** Resolves to whether the store has taken the message; it does not wait for readers and never rejects. */
  publish(message: Uint8Array): Promise<boolean>
  /** Tells the readers of every process that they may have missed messages, as soon as the store can be reached. Never throws. */
  reportGap(): void
  /**
   * Reads the log: a gap where it begins or the first message that is kept, what is kept after it, then what comes. Resolves with what
   * ends the subscription when everything that was kept is read, or the store turns out to be out of reach: then it is read later.
   */
  subscribe(reader: LiveReader): Promise<() => void>
  /** What stands between this process and the log, or undefined when all is well. */
  fault(): string | undefined
}

/** When an account's connection was registered, in milliseconds by the clock of the store. */
export type Arrival = {
  readonly at: number
  /** Since when messages have been published for the account without interruption. */
  readonly coveredSince: number
}

/** Whom live messages are published for: accounts with a stream open, and for a while after the last one closed. */
export type Presence = {
  /**
   * One more connection of the account on this process. Resolves once `listeners` of every process names the account, and to undefined,
   * without counting it, when the store is unreachable.
   */
  arrive(accountId: string): Promise<Arrival | undefined>
  /** One connection fewer. */
  leave(accountId: string): void
  /** Every account with a connection now or within the last hour, on any process; undefined when the store is unreachable. */
  listeners(): Promise<string[] | undefined>
}

/** How often something happened within the current fixed window (windows start at multiples of their length since 1970). */
export type RateCounter = {
  /**
   * Counts one more for each key, or another amount (0 only reads), and returns the counts, in order. While the store is unreachable,
   * each process counts for itself; nothing waits for it.
   */
  hit(keys: readonly { key: string; windowSeconds: number; amount?: number }[]): Promise<number[]>
}

/** Has the processes that remember answers of a service forget them. A topic names what is remembered. */
export type Invalidations = {
  /**
   * Says that what is remembered of the topic may no longer hold. Resolves once the store has handed that to all who watch, or could not within a
   * quarter of a second; never rejects.
   */
  publish(topic: string): Promise<void>
  /** Watches a topic from now on. The stamp is another number after each invalidation, and undefined while some could be missed. */
  watch(topic: string): () => number | undefined
}

/** All of them over one store. */
export type Ephemeral = {
  live: LiveChannel
  presence: Presence
  rates: RateCounter
  invalidations: Invalidations
  close(): Promise<void>
}
