import { sleep } from '@rookery/handles'
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
  /** Resolves when the group has its first partitions, however long the brokers are unreachable. */
  readonly joined: Promise<void>
  fault(): string | undefined
  /** Called when the brokers are reachable again: replaces a connection that has had no acknowledgement lately. */
  renew(): void
  close(): Promise<void>
}

const SESSION_MILLISECONDS = 10_000
/**
 * The coordinator answers a join once each member has rejoined or is given up: a dead one after its session timeout. Slower members are
 * removed from the group.
 */
const SESSIONS_TO_REBALANCE = 2
/** Acknowledged heartbeats are never further apart than this, in milliseconds. */
const OF_LATE = 4 * HEARTBEAT
const LONGEST_PAUSE = 5000

const sessionOf = (options: KafkaOptions) => options.sessionMilliseconds ?? SESSION_MILLISECONDS

/**
 * The brokers answer a fetch with the first messages, or with none after a while. While they wait the group sends no heartbeat, so with the
 * defaults a rebalance would take 8 seconds.
 */
const AT_ONCE = { minBytes: 1, maxWaitTimeInMs: 400 }
/** The brokers collect messages for a quarter of a second, or until there are many. */
const GATHERING = { minBytes: 64 * 1024, maxWaitTimeInMs: 250 }

/** Whether latency matters to none of them: then the brokers collect for all. */
const areUnhurried = (subscriptions: readonly Subscription[]) => subscriptions.every(({ isUnhurried }) => isUnhurried)

/** The subscriptions for lanes: messages that the brokers collected are not collected again. */
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

/** How many partitions are processed concurrently, so that the messages of one fetch are handled in one batch. */
const AT_A_TIME = 24

type Started = {
  group: string
  topics: readonly string[]
  subscriptions: readonly Subscription[]
  options: KafkaOptions
  dispatcher: Dispatcher
}

/** Starts a consumer that joins the group; `follow` gets it before it connects. @throws KafkaJSError when the brokers do not answer */
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
    // An offset beyond the end is from a deleted topic of the same name.
    if (BigInt(messages[0]?.offset ?? begin) < begin && begin <= BigInt(highWatermark))
      return consumer.seek({ topic, partition, offset: begin.toString() })
    await dispatcher.take(payload)
  }
  await consumer.connect()
  await consumer.subscribe({ topics: [...topics], fromBeginning: true })
  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, partitionsConsumedConcurrently: AT_A_TIME, eachBatch })
}

/**
 * A process's membership in a group. It rejoins whenever it was lost; on a new connection if the coordinator acknowledged nothing for a
 * session timeout, or for longer while it may be waiting for other members.
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
        // kafkajs gives up on this error; a retry may still succeed.
        void joinUntilDone(LONGEST_PAUSE)
      })
    })
  }

  const joinUntilDone = async (firstPause: number) => {
    for (let wait = firstPause; !closing.signal.aborted; wait = LONGEST_PAUSE) {
      await sleep(wait, closing.signal)
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
