import { setTimeout as pause } from 'node:timers/promises'
import { every } from '@rookery/handles'
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import type { Subscription } from '../bus.ts'
import { sayGoodbye } from './bounded.ts'
import { type KafkaOptions, openKafka, TIMEOUT } from './client.ts'
import { createMembership } from './membership.ts'
import { createOffsets, type Offsets } from './offsets.ts'

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
/** Heartbeats that are acknowledged come more often than this, in milliseconds. */
const OF_LATE = 4 * HEARTBEAT
/** The most messages handed over, and committed, at once. */
const MAX = 500
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 5000

const sessionOf = (options: KafkaOptions) => options.sessionMilliseconds ?? SESSION_MILLISECONDS

/**
 * How the brokers answer a group that asks for messages: with the first there is, or nothing after a while. While they wait the group sends no
 * heartbeat, so with the defaults it would take 8 seconds to agree again.
 */
const AT_ONCE = { minBytes: 1, maxWaitTimeInMs: 400 }
/** With what has come within a quarter of a second, or sooner when it is much. */
const GATHERING = { minBytes: 64 * 1024, maxWaitTimeInMs: 250 }

const settingsOf = (subscription: Subscription, options: KafkaOptions) => ({
  groupId: subscription.group,
  ...(subscription.isUnhurried ? GATHERING : AT_ONCE),
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
  offsets: Offsets
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

/** Handles a partition's messages in order, and notes what is handled. */
const takeBatch = async ({ batch, heartbeat, resolveOffset }: EachBatchPayload, handing: Handing) => {
  for (const slice of slicesOf(batch.messages)) {
    if (!(await insist(slice, heartbeat, handing))) return
    const last = slice.at(-1)!.offset
    handing.offsets.note(batch, (BigInt(last) + 1n).toString())
    resolveOffset(last)
  }
}

/** Takes batches one after the other. */
const takeBatches = (handing: Handing) => {
  let last: Promise<void> = Promise.resolve()
  return {
    take(payload: EachBatchPayload) {
      last = takeBatch(payload, handing)
      return last
    },
    /** Resolves when none is being taken. */
    taken: () => last.catch(() => {}),
  }
}

/**
 * One group's membership in this process. It joins again whenever it was lost, and on a new connection when the coordinator acknowledged
 * nothing for as long as it keeps a silent member, or longer while it may be waiting for others.
 */
export const joinGroup = (given: { subscription: Subscription; makeTopic(topic: string): Promise<void>; options: KafkaOptions }): Group => {
  const { subscription, options } = given
  const { kafka, dropConnections, close } = openKafka(options, 'forEver')
  const membership = createMembership({
    group: subscription.group,
    sessionMilliseconds: sessionOf(options),
    onSilence: () => dropConnections('no heartbeat was acknowledged'),
  })
  const closing = new AbortController()
  const offsets = createOffsets({
    commit: async (handled) => consumer?.commitOffsets([...handled]),
    onError: (error) => options.onError?.(error, subscription.group),
  })
  const batches = takeBatches({ subscription, options, closing: closing.signal, offsets })
  let consumer: Consumer | undefined

  const join = async () => {
    await given.makeTopic(subscription.topic)
    const fresh = kafka.consumer(settingsOf(subscription, options))
    consumer = fresh
    membership.follow(fresh, (error) => {
      options.onError?.(error, subscription.group)
      // kafkajs takes the fault for final; nothing is final here.
      void joinUntilDone(LONGEST_PAUSE)
    })
    fresh.on('consumer.rebalancing', offsets.forget)
    await fresh.connect()
    await fresh.subscribe({ topics: [subscription.topic], fromBeginning: true })
    await fresh.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: batches.take })
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
    fault: membership.fault,
    renew() {
      if (membership.silence() > OF_LATE) dropConnections('the brokers are back')
    },
    close: async () => {
      closing.abort()
      membership.stop()
      await batches.taken()
      await offsets.close()
      await sayGoodbye(Promise.resolve(consumer?.disconnect()), close)
    },
  }
}
