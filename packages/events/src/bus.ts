/** An event on its way: `key` is the account it belongs to, `envelope` an encoded Envelope. */
export type Message = { key: string; envelope: Uint8Array }

/**
 * One consumer's interest in a topic. `handle` gets messages in the order of their keys; when it returns they are done, when it throws they
 * come again, in the same order.
 */
export type Subscription = {
  topic: string
  /** Names it in what is reported. */
  consumer: string
  /** Messages may be gathered for a while, so that many are handed over together. */
  isUnhurried?: boolean
  handle(messages: readonly Message[]): Promise<void>
}

/** Carries durable events between services. Adapters: kafka/, in-process/; one conformance suite for both. */
export type Bus = {
  /** Resolves only when the messages can no longer be lost. */
  publish(topic: string, messages: readonly Message[]): Promise<void>
  /**
   * Subscribes as one of the processes that share a group's messages: each message goes to one of them, and there to every subscription to its
   * topic. All processes of a group have the same subscriptions. One that fails does not keep the others from going on, unless very much waits
   * for it.
   */
  subscribe(group: string, subscriptions: readonly Subscription[]): Promise<void>
  /** What stands between this process and the bus, or undefined when all is well. */
  fault(): string | undefined
  /** How many messages each group that this process belongs to has not handled yet, on any process. @throws Error when the bus is away */
  lags(): Promise<readonly { group: string; lag: number }[]>
  close(): Promise<void>
}
