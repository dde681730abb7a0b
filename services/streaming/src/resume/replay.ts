import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { LiveMessage } from '@rookery/contracts/events'
import { positionText } from '@rookery/ephemeral'
import { keysOf } from '../channels/names.ts'
import type { Backlog, Subscriber } from '../channels/subscriber.ts'
import { createDeliver } from '../delivery/deliver.ts'
import type { StreamSubscribers } from '../delivery/delivery.ts'
import type { ReadDeliveries } from '../delivery/read-deliveries.ts'
import { byPosition, type Recorded } from '../history/history.ts'
import type { Slices } from '../slices.ts'
import type { StreamCounts } from '../stream.metrics.ts'

/** A resumed stream and its missed messages. */
export type Resumption = { readonly subscriber: Subscriber; readonly backlog: Backlog; readonly missed: readonly Recorded[] }

/** Maximum streams per round, and concurrent rounds: a stream that missed much does not block all others. */
const MAX_TOGETHER = 500
const MAX_ROUNDS = 2
/** How long a round waits for streams that are about to be resumed, and its polling interval, in milliseconds. */
const MAX_GATHERING = 250
const LOOK = 10
/** Maximum messages of a round whose views are read concurrently: each is processed for many streams. */
const MAX_AT_ONCE = 2

/** Prepares items concurrently, and yields the results in order. */
async function* inOrder<Item, Ready>(items: readonly Item[], prepare: (item: Item) => Promise<Ready>): AsyncGenerator<Ready> {
  const begun: Promise<Ready>[] = []
  for (const item of items) {
    begun.push(prepare(item))
    if (begun.length === MAX_AT_ONCE) yield await begun.shift()!
  }
  for (const ready of begun) yield await ready
}

const append = <Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void => {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Indexes subscribers by the keys of their streams. */
const byStream = (subscribers: readonly Subscriber[]): StreamSubscribers => {
  const index = new Map<string, Subscriber[]>()
  for (const subscriber of subscribers) {
    for (const key of keysOf(subscriber.channel)) append(index, key, subscriber)
  }
  return (key) => index.get(key) ?? []
}

/**
 * Sends streams their missed events as if they happened now: visibility is checked at this moment. Streams that resume at the same time are
 * handled together, so that events which many missed are read once.
 */
export const createReplay = (given: {
  readDeliveries: ReadDeliveries
  isSubscribed(subscriber: Subscriber): boolean
  /** Whether more streams are about to be resumed. */
  areMoreComing(): boolean
  slices: Slices
  counts: Pick<StreamCounts, 'replayed'>
}): ((resumption: Resumption) => void) => {
  const { readDeliveries, isSubscribed, areMoreComing, slices, counts } = given
  const deliver = createDeliver(isSubscribed)
  const waiting: Resumption[] = []
  let rounds = 0

  const finish = (backlogs: ReadonlyMap<Subscriber, Backlog>) => {
    for (const [subscriber, backlog] of backlogs) {
      // A stream unsubscribed meanwhile may lack events.
      if (isSubscribed(subscriber)) backlog.finish()
      else backlog.cancel()
    }
  }

  const replayRound = async (together: readonly Resumption[]) => {
    const missing = new Map<Recorded, Subscriber[]>()
    const backlogs = new Map<Subscriber, Backlog>()
    for (const { subscriber, backlog, missed } of together) {
      backlogs.set(subscriber, backlog)
      for (const message of missed) append(missing, message, subscriber)
    }
    const messages = [...missing.keys()].sort(byPosition)
    const prepare = async (recorded: Recorded) => {
      // In a slice: decoding a thousand recipients takes a millisecond.
      const { event } = await slices.run(() => LiveMessage.decode(recorded.message))
      const subscribers = missing.get(recorded)!.filter(isSubscribed)
      if (!event || subscribers.length === 0) return []
      return readDeliveries(event, { id: positionText(recorded.position), subscribersTo: byStream(subscribers) })
    }
    for await (const deliveries of inOrder(messages, prepare)) {
      await deliver(deliveries, (subscriber, event) => {
        counts.replayed++
        backlogs.get(subscriber)?.replay(event)
      })
      await turn()
    }
    finish(backlogs)
  }

  /** Collects streams that come at the same time. */
  const gather = async () => {
    await turn()
    for (let waited = 0; waited < MAX_GATHERING && waiting.length < MAX_TOGETHER && areMoreComing(); waited += LOOK) await pause(LOOK)
  }

  const run = async () => {
    rounds++
    while (waiting.length > 0) {
      await gather()
      await replayRound(waiting.splice(0, MAX_TOGETHER))
    }
    rounds--
  }

  return (resumption) => {
    waiting.push(resumption)
    if (rounds < MAX_ROUNDS) void run()
  }
}
