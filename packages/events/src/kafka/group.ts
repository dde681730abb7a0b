import { setTimeout as pause } from 'node:timers/promises'
import { every } from '@rookery/handles'
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import type { Subscription } from '../bus.ts'
import { type KafkaOptions, openKafka, TIMEOUT } from './client.ts'
import { startPulse } from './pulse.ts'

export type Group = {
  /** Resolves when the group has its first partitions, however long the brokers are away. */
  readonly joined: Promise<void>
  fault(): string | undefined
  /** The brokers are back: a connection on which nothing was acknowledged of late is replaced. */
  renew(): void
  close(): Promise<void>
}

const HEARTBEAT = 500
const SESSION_MILLISECONDS = 10_000
/**
 * The coordinator answers who joins once each member has joined again or was given up: a dead one after its session. Members that take longer
 * to come are put out.
 */
const SESSIONS_TO_REBALANCE = 2
/**
 * Who waits for that answer is not cut before. Each cut would leave a member in the group that never comes back, and the next answer would wait
 * for that one.
 */
const SESSIONS_TO_JOIN = 2.5
/** Heartbeats that are acknowledged come more often than this, in milliseconds. */
const OF_LATE = 4 * HEARTBEAT
/** The most messages handed over, and committed, at once. */
const MAX = 500
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 5000

const sessionOf = (options: KafkaOptions) => options.sessionMilliseconds ?? SESSION_MILLISECONDS

const settingsOf = (subscription: Subscription, options: KafkaOptions) => ({
  groupId: subscription.group,
  // With the defaults a group takes 8 seconds to agree again, and a message waits up to 5 for company.
  maxWaitTimeInMs: 100,
  minBytes: 1,
  heartbeatInterval: HEARTBEAT,
  sessionTimeout: sessionOf(options),
  rebalanceTimeout: SESSIONS_TO_REBALANCE * sessionOf(options),
  retry: { ...TIMEOUT.forEver, restartOnFailure: async () => true },
})

const slicesOf = (messages: readonly KafkaMessage[]) =>
  Array.from({ length: Math.ceil(messages.length / MAX) }, (_, index) => messages.slice(index * MAX, (index + 1) * MAX))

const opened = (messages: readonly KafkaMessage[]) =>
  messages.map(({ key, value }) => ({ key: key?.toString() ?? '', envelope: value ?? Buffer.alloc(0) }))

type Handing = {
  subscription: Subscription
  options: KafkaOptions
  closing: AbortSignal
}

/** Pauses, or not when the group is closing. */
const rest = (milliseconds: number, signal: AbortSignal) => pause(milliseconds, undefined, { signal }).catch(() => {})

/** Hands messages over until they are taken, however often that fails, and keeps the membership alive meanwhile. False: it is closing. */
const insist = async (messages: readonly KafkaMessage[], heartbeat: () => Promise<void>, { subscription, options, closing }: Handing) => {
  let lost: unknown
  const onError = (error: unknown) => {
    lost = error
  }
  const beating = every(HEARTBEAT, heartbeat, { onError })
  try {
    for (let wait = FIRST_PAUSE; !closing.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
      if (lost) throw lost
      try {
        await subscription.handle(opened(messages))
        return true
      } catch (error) {
        options.onError?.(error, subscription.group)
        await rest(wait, closing)
      }
    }
    return false
  } finally {
    beating.stop()
  }
}

/** Handles a partition's messages in order, and commits what is handled. */
const takeBatch = async (consumer: Consumer, { batch, heartbeat, resolveOffset }: EachBatchPayload, handing: Handing) => {
  for (const slice of slicesOf(batch.messages)) {
    if (!(await insist(slice, heartbeat, handing))) return
    const last = slice.at(-1)!.offset
    const next = (BigInt(last) + 1n).toString()
    await consumer.commitOffsets([{ topic: batch.topic, partition: batch.partition, offset: next }])
    resolveOffset(last)
  }
}

/**
 * One group's membership in this process. It joins again whenever it was lost, and on a new connection when the coordinator acknowledged
 * nothing for as long as it keeps a silent member, or longer while it may be waiting for others.
 */
export const joinGroup = (given: { subscription: Subscription; makeTopic(topic: string): Promise<void>; options: KafkaOptions }): Group => {
  const { subscription, options } = given
  const { kafka, dropConnections } = openKafka(options, 'forEver')
  let isJoined = false
  const sessionMilliseconds = sessionOf(options)
  const limit = () => (isJoined ? sessionMilliseconds : SESSIONS_TO_JOIN * sessionMilliseconds)
  const pulse = startPulse(limit, () => dropConnections('no heartbeat was acknowledged'))
  const closing = new AbortController()
  const handing = { subscription, options, closing: closing.signal }
  let consumer: Consumer | undefined

  const join = async () => {
    await given.makeTopic(subscription.topic)
    const fresh = kafka.consumer(settingsOf(subscription, options))
    consumer = fresh
    fresh.on('consumer.group_join', () => {
      isJoined = true
      pulse.beat()
    })
    fresh.on('consumer.heartbeat', pulse.beat)
    fresh.on('consumer.rebalancing', () => {
      isJoined = false
    })
    fresh.on('consumer.crash', ({ payload }) => {
      isJoined = false
      if (payload.restart) return
      options.onError?.(payload.error, subscription.group)
      // kafkajs takes the fault for final; nothing is final here.
      void joinUntilDone(LONGEST_PAUSE)
    })
    await fresh.connect()
    await fresh.subscribe({ topics: [subscription.topic], fromBeginning: true })
    await fresh.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: (payload) => takeBatch(fresh, payload, handing) })
  }

  const joinUntilDone = async (firstPause: number) => {
    for (let wait = firstPause; !closing.signal.aborted; wait = LONGEST_PAUSE) {
      await rest(wait, closing.signal)
      try {
        return await join()
      } catch (error) {
        options.onError?.(error, subscription.group)
      }
    }
  }

  return {
    joined: joinUntilDone(0),
    fault() {
      if (!isJoined) return `the group ${subscription.group} is not joined`
      const silence = pulse.silence()
      if (silence < sessionMilliseconds) return undefined
      return `no heartbeat of the group ${subscription.group} was acknowledged for ${Math.round(silence / 1000)} seconds`
    },
    renew() {
      if (pulse.silence() > OF_LATE) dropConnections('the brokers are back')
    },
    close: async () => {
      closing.abort()
      pulse.stop()
      await consumer?.disconnect()
    },
  }
}
