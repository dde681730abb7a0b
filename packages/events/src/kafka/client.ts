import { createRequire } from 'node:module'
import kafkajs, { type Kafka, type SASLOptions } from 'kafkajs'
import { trackConnections } from './connections.ts'

export type KafkaOptions = {
  /** host:port of some of the brokers. */
  brokers: readonly string[]
  /** Names this process in the brokers' logs. */
  clientId: string
  /** Speaks to them over TLS: whom to believe instead of the usual authorities, and what to show, in PEM. */
  tls?: { ca?: string; cert?: string; key?: string }
  /** Tells them who this is. */
  sasl?: { mechanism: 'scram-sha-512' | 'scram-sha-256' | 'plain'; username: string; password: string }
  /** Of topics made here, which are made when they are missing. */
  partitions?: number
  /** Copies of topics made here; else what the brokers have set. */
  replicas?: number
  /** How long the brokers wait for a silent member of a group before they hand on its partitions. */
  sessionMilliseconds?: number
  /** How long messages may take to be acknowledged before their publisher gives up, in milliseconds. */
  publishMilliseconds?: number
  onError?: (error: unknown, what: string) => void
}

/** In this time messages are acknowledged, or their publisher gives up and tries again with the next round. */
export const PUBLISH_MILLISECONDS = 5000

/** The interval of the heartbeats of group members, in milliseconds. */
export const HEARTBEAT = 500

/** How long to retry while brokers are away. */
export const TIMEOUT = {
  forEver: { initialRetryTime: 100, maxRetryTime: 1000, retries: Number.MAX_SAFE_INTEGER },
  /** About six seconds, for calls whose caller can decide to try again. */
  aWhile: { initialRetryTime: 100, maxRetryTime: 1000, retries: 8 },
  none: { retries: 0 },
}

type Queue = { pending: unknown[]; throttledUntil: number; scheduleCheckPendingRequests(): void }

/** kafkajs 2.2.4 sets a timer of 1 ms again and again for each connection, also when nothing waits (3 % of a core at rest). */
const stopIdleTimers = () => {
  const queue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { prototype: Queue }
  const check = queue.prototype.scheduleCheckPendingRequests
  queue.prototype.scheduleCheckPendingRequests = function (this: Queue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) check.call(this)
  }
}

let isMended = false

type KafkaClient = {
  readonly kafka: Kafka
  /** Cuts its connections: what waits for an answer on them fails, and new ones are made. */
  dropConnections(reason: string): void
  /** Cuts them for good: nothing of it goes on in the background. */
  close(reason: string): void
}

/** A client of the brokers, as patient as said. It writes no log of its own: it calls ordinary reconnecting an error. */
export const openKafka = (options: KafkaOptions, timeouts: keyof typeof TIMEOUT): KafkaClient => {
  if (!isMended) stopIdleTimers()
  isMended = true
  const connections = trackConnections()
  const kafka = new kafkajs.Kafka({
    brokers: [...options.brokers],
    clientId: options.clientId,
    ...(options.tls && { ssl: options.tls }),
    // The three kinds have one shape; the library's types keep them apart.
    ...(options.sasl && { sasl: options.sasl as SASLOptions }),
    connectionTimeout: 3000,
    requestTimeout: 10_000,
    retry: TIMEOUT[timeouts],
    logCreator: () => () => {},
    socketFactory: connections.open,
  })
  return { kafka, dropConnections: connections.drop, close: connections.close }
}
