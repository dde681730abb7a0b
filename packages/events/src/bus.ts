/** An encoded event: `key` is the account it belongs to, `envelope` an encoded Envelope. */
export type Message = { key: string; envelope: Uint8Array }

/**
 * A consumer's subscription to a topic. `handle` gets the messages of a key in order. When it resolves they are acknowledged; when it
 * throws they are delivered again, in the same order.
 */
export type Subscription = {
  topic: string
  /** The name in logs and metrics. */
  consumer: string
  /** Messages may be delayed a little to be delivered in larger batches. */
  isUnhurried?: boolean
  handle(messages: readonly Message[]): Promise<void>
}

/** Carries durable events between services. Adapters: kafka/, in-process/; one conformance suite for both. */
export type Bus = {
  /** Resolves once the messages can no longer be lost. */
  publish(topic: string, messages: readonly Message[]): Promise<void>
  /**
   * Subscribes as a member of a consumer group: each message goes to one member, and there to every subscription to its topic. All members
   * of a group have the same subscriptions. A failing subscription does not block the others, unless its backlog is full.
   */
  subscribe(group: string, subscriptions: readonly Subscription[]): Promise<void>
  /** Why this process cannot reach the bus; undefined when all is well. */
  fault(): string | undefined
  /** The lag of each group that this process is a member of, in messages, over all members. @throws Error when the bus is unreachable */
  lags(): Promise<readonly { group: string; lag: number }[]>
  close(): Promise<void>
}
