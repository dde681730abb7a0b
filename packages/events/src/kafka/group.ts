import { rest } from '@rookery/handles'
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs'
import type { Subscription } from '../bus.ts'
import { disconnectOrCut } from './bounded.ts'
import { HEARTBEAT, type KafkaOptions, openKafka, TIMEOUT } from './client.ts'
import { createDispatcher, type Dispatcher } from './dispatcher.ts'
import { readLegacyOffsets } from './legacy-offsets.ts'
import { createMembership } from './membership.ts'
import { createOffsets } from './offsets.ts'

export type Group = {
  readonly name: string
  readonly topics: readonly string[]
  /** Resolves when the group has its first partitions, however long the brokers are away. */
  readonly joined: Promise<void>
  fault(): string | undefined
  /** The brokers are back: a connection on which nothing was acknowledged of late is replaced. */
  renew(): void
  close(): Promise<void>
}

const SESSION_MILLISECONDS = 10_000
/**
 * The coordinator answers who joins once each member has joined again or was given up: a dead one after its session. Members that take longer
 * to come are put out.
 */
const SESSIONS_TO_REBALANCE = 2
/** Heartbeats that are acknowledged come more often than this, in milliseconds. */
const OF_LATE = 4 * HEARTBEAT
const LONGEST_PAUSE = 5000

const sessionOf = (options: KafkaOptions) => options.sessionMilliseconds ?? SESSION_MILLISECONDS

/**
 * The brokers answer with the first messages there are, or with none after a while. While they wait the group sends no heartbeat, so with the
 * defaults it would take 8 seconds to agree again.
 */
const AT_ONCE = { minBytes: 1, maxWaitTimeInMs: 400 }
/** With what has come within a quarter of a second, or sooner when it is much. */
const GATHERING = { minBytes: 64 * 1024, maxWaitTimeInMs: 250 }

/** Whether no one waits for any of them: then the brokers gather for all of them. */
const areUnhurried = (subscriptions: readonly Subscription[]) => subscriptions.every(({ isUnhurried }) => isUnhurried)

/** As lanes take them: what the brokers gathered is not gathered again. */
const gathered = (subscriptions: readonly Subscription[]) =>
  areUnhurried(subscriptions) ? subscriptions.map((subscription) => ({ ...subscription, isUnhurried: false })) : subscriptions

const settingsOf = (group: string, subscriptions: readonly Subscription[], options: KafkaOptions) => ({
  groupId: group,
  ...(areUnhurried(subscriptions) ? GATHERING : AT_ONCE),
  heartbeatInterval: HEARTBEAT,
  sessionTimeout: sessionOf(options),
  rebalanceTimeout: SESSIONS_TO_REBALANCE * sessionOf(options),
  retry: { ...TIMEOUT.forEver, restartOnFailure: async () => true },
})

/** So many partitions are given at once, so that what one answer of the brokers holds is handed over together. */
const AT_A_TIME = 24

type Started = {
  group: string
  topics: readonly string[]
  subscriptions: readonly Subscription[]
  options: KafkaOptions
  dispatcher: Dispatcher
}

/** Starts a consumer that joins the group; `follow` is given it before. @throws KafkaJSError when the brokers do not answer */
const startConsumer = async (kafka: Kafka, given: Started, follow: (consumer: Consumer) => void): Promise<void> => {
  const { group, topics, subscriptions, options, dispatcher } = given
  const legacyOffset = await readLegacyOffsets(kafka, subscriptions)
  const consumer = kafka.consumer(settingsOf(group, subscriptions, options))
  follow(consumer)
  consumer.on('consumer.rebalancing', dispatcher.forget)
  consumer.on('consumer.group_join', dispatcher.forget)
  const eachBatch = async (payload: EachBatchPayload) => {
    const { topic, partition, messages, highWatermark } = payload.batch
    const begin = legacyOffset(topic, partition)
    // An offset beyond the end is of a topic that was deleted.
    if (BigInt(messages[0]?.offset ?? begin) < begin && begin <= BigInt(highWatermark))
      return consumer.seek({ topic, partition, offset: begin.toString() })
    await dispatcher.take(payload)
  }
  await consumer.connect()
  await consumer.subscribe({ topics: [...topics], fromBeginning: true })
  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, partitionsConsumedConcurrently: AT_A_TIME, eachBatch })
}

/**
 * One group's membership in this process. It joins again whenever it was lost, and on a new connection when the coordinator acknowledged
 * nothing for as long as it keeps a silent member, or longer while it may be waiting for others.
 */
export const joinGroup = (
  name: string,
  given: { subscriptions: readonly Subscription[]; makeTopic(topic: string): Promise<void>; options: KafkaOptions },
): Group => {
  const { subscriptions, options } = given
  const topics = [...new Set(subscriptions.map(({ topic }) => topic))]
  const { kafka, dropConnections, close } = openKafka(options, 'forEver')
  const membership = createMembership({
    group: name,
    sessionMilliseconds: sessionOf(options),
    onSilence: () => dropConnections('no heartbeat was acknowledged'),
  })
  const closing = new AbortController()
  const onError = (error: unknown) => options.onError?.(error, name)
  const offsets = createOffsets({ commit: async (handled) => consumer?.commitOffsets([...handled]), onError })
  const dispatcher = createDispatcher(gathered(subscriptions), { options, offsets })
  let consumer: Consumer | undefined

  const join = async () => {
    await Promise.all(topics.map(given.makeTopic))
    await startConsumer(kafka, { group: name, topics, subscriptions, options, dispatcher }, (fresh) => {
      consumer = fresh
      membership.follow(fresh, (error) => {
        onError(error)
        // kafkajs takes the fault for final; nothing is final here.
        void joinUntilDone(LONGEST_PAUSE)
      })
    })
  }

  const joinUntilDone = async (firstPause: number) => {
    for (let wait = firstPause; !closing.signal.aborted; wait = LONGEST_PAUSE) {
      await rest(wait, closing.signal)
      try {
        return await join()
      } catch (error) {
        onError(error)
      }
    }
  }

  return {
    name,
    topics,
    joined: joinUntilDone(0),
    fault: membership.fault,
    renew() {
      if (membership.silence() > OF_LATE) dropConnections('the brokers are back')
    },
    close: async () => {
      closing.abort()
      membership.stop()
      await dispatcher.close()
      await offsets.close()
      await disconnectOrCut(Promise.resolve(consumer?.disconnect()), close)
    },
  }
}
