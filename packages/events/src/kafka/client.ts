import { createRequire } from 'node:module'
import kafkajs, { type Kafka, type SASLOptions } from 'kafkajs'
import { trackConnections } from './connections.ts'

export type KafkaOptions = {
  /** host:port of some of the brokers. */
  brokers: readonly string[]
  /** The name of this process in the brokers' logs. */
  clientId: string
  /** TLS: the CA certificate that replaces the usual ones, and the client certificate with its key, in PEM. */
  tls?: { ca?: string; cert?: string; key?: string }
  /** SASL credentials. */
  sasl?: { mechanism: 'scram-sha-512' | 'scram-sha-256' | 'plain'; username: string; password: string }
  /** Partitions of topics created here. */
  partitions?: number
  /** Replicas of topics created here; by default as configured in the brokers. */
  replicas?: number
  /** Session timeout: how long the brokers wait for a silent group member before reassigning its partitions, in milliseconds. */
  sessionMilliseconds?: number
  /** How long a publisher waits for the acknowledgement of messages, in milliseconds. */
  publishMilliseconds?: number
  onError?: (error: unknown, what: string) => void
}

/** After this time without an acknowledgement, in milliseconds, a publisher gives up and retries in the next round. */
export const PUBLISH_MILLISECONDS = 5000

/** The interval of the heartbeats of group members, in milliseconds. */
export const HEARTBEAT = 500

/** Retry settings while brokers are unreachable. */
export const TIMEOUT = {
  forEver: { initialRetryTime: 100, maxRetryTime: 1000, retries: Number.MAX_SAFE_INTEGER },
  /** About six seconds, for calls whose caller can decide to retry. */
  aWhile: { initialRetryTime: 100, maxRetryTime: 1000, retries: 8 },
  none: { retries: 0 },
}

type Queue = { pending: unknown[]; throttledUntil: number; scheduleCheckPendingRequests(): void }

/** kafkajs 2.2.4 keeps setting a timer of 1 ms for each connection, even with nothing pending (3 % of a core when idle). */
const stopIdleTimers = () => {
  const queue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { prototype: Queue }
  const check = queue.prototype.scheduleCheckPendingRequests
  queue.prototype.scheduleCheckPendingRequests = function (this: Queue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) check.call(this)
  }
}

type Connection = { isConnected(): boolean; connect(): Promise<unknown>; chunks: Buffer[]; bytesBuffered: number; bytesNeeded: number }

/** The bytes of a length, with which every answer begins. */
const LENGTH_BYTES = 4

/**
 * kafkajs 2.2.4 keeps the beginning of an answer that broke off, and reads the first answer of the next connection as its end. It would then take some
 * bytes for the length of an answer that never ends, on every later connection too.
 */
const forgetBrokenAnswers = () => {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/connection') as { prototype: Connection }
  const { connect } = prototype
  prototype.connect = function (this: Connection) {
    if (!this.isConnected()) Object.assign(this, { chunks: [], bytesBuffered: 0, bytesNeeded: LENGTH_BYTES })
    return connect.call(this)
  }
}

let isMended = false

const mendLibrary = () => {
  stopIdleTimers()
  forgetBrokenAnswers()
}

type KafkaClient = {
  readonly kafka: Kafka
  /** Cuts all connections: pending requests fail, and new connections are opened. */
  dropConnections(reason: string): void
  /** Cuts all connections for good: nothing continues in the background. */
  close(reason: string): void
}

/** A Kafka client with one of the retry settings. Its own log is off: it logs ordinary reconnects as errors. */
export const openKafka = (options: KafkaOptions, timeouts: keyof typeof TIMEOUT): KafkaClient => {
  if (!isMended) mendLibrary()
  isMended = true
  const connections = trackConnections()
  const kafka = new kafkajs.Kafka({
    brokers: [...options.brokers],
    clientId: options.clientId,
    ...(options.tls && { ssl: options.tls }),
    // The SASL options differ only in the library's types.
    ...(options.sasl && { sasl: options.sasl as SASLOptions }),
    connectionTimeout: 3000,
    requestTimeout: 10_000,
    retry: TIMEOUT[timeouts],
    logCreator: () => () => {},
    socketFactory: connections.open,
  })
  return { kafka, dropConnections: connections.drop, close: connections.close }
}
