import type { Position } from './position.ts'

/** A live message and its position in the log. */
export type LiveEntry = {
  readonly message: Uint8Array
  readonly position: Position
  /** It was published before the subscription began: it can be resumed from, but is not delivered. */
  readonly isKept: boolean
}

/** A point of the log before which live messages may be missing. */
export type LiveGap = {
  /** Messages before this position are unknown; undefined while the log is unreachable and nothing is lost yet. */
  readonly from?: Position
  /** It was in the log when the subscription began. */
  readonly isKept: boolean
}

/** A subscriber of the live log. */
export type LiveReader = { read(entry: LiveEntry): void; onGap?(gap: LiveGap): void }

/**
 * Messages to open streams, in one log for all processes: every reader gets them in the same order at the same positions. The log is
 * bounded in size and age, and may be lost; messages that may not have arrived are reported as a gap. Adapters: redis/, memory/; one
 * conformance suite for both.
 */
export type LiveChannel = {
  /** Resolves to whether the store accepted the message; it does not wait for readers and never rejects. */
  publish(message: Uint8Array): Promise<boolean>
  /** Notifies the readers of every process that they may have missed messages, as soon as the store can be reached. Never throws. */
  reportGap(): void
  /**
   * Reads the log: a gap at its start or at its oldest message, the stored messages, then new ones as they arrive. Resolves to a function
   * that ends the subscription, once all stored messages are read, or once the store turns out to be unreachable: then they are read later.
   */
  subscribe(reader: LiveReader): Promise<() => void>
  /** Why this process cannot reach the log; undefined when all is well. */
  fault(): string | undefined
}

/** The time an account's connection was registered, in milliseconds by the clock of the store. */
export type Arrival = {
  readonly at: number
  /** Since when messages have been published for the account without interruption, in milliseconds. */
  readonly coveredSince: number
}

/** The accounts that live messages are published for: those with an open stream, and for a while after the last one closed. */
export type Presence = {
  /**
   * Registers one more connection of the account on this process. Resolves once `listeners` of every process includes the account; to
   * undefined, without registering, when the store is unreachable.
   */
  arrive(accountId: string): Promise<Arrival | undefined>
  /** Removes one connection of the account. */
  leave(accountId: string): void
  /** All accounts with a connection now or within the last hour, on any process; undefined when the store is unreachable. */
  listeners(): Promise<string[] | undefined>
}

/** Counts events in fixed windows (windows start at multiples of their length since 1970). */
export type RateCounter = {
  /**
   * Increments each key by one, or by another amount (0 only reads), and returns the counts, in order. While the store is unreachable, each
   * process counts for itself, without waiting.
   */
  hit(keys: readonly { key: string; windowSeconds: number; amount?: number }[]): Promise<number[]>
}

/** Invalidates answers of a service that other processes have cached. A topic names what is cached. */
export type Invalidations = {
  /** Invalidates a topic. Resolves once the store has delivered that to all watchers, or after a quarter of a second; never rejects. */
  publish(topic: string): Promise<void>
  /**
   * Watches a topic from now on. The returned function gives a stamp, which differs after each invalidation and is undefined while
   * invalidations may be missed.
   */
  watch(topic: string): () => number | undefined
}

/** All ephemeral ports, over one store. */
export type Ephemeral = {
  live: LiveChannel
  presence: Presence
  rates: RateCounter
  invalidations: Invalidations
  close(): Promise<void>
}
