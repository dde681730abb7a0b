import { LiveMessage } from '@rookery/contracts/events'
import { type LiveEntry, type Position, positionText } from '@rookery/ephemeral'
import type { Logger } from '@rookery/runtime'
import type { OpenChannels } from '../channels/open.ts'
import type { Person } from '../channels/subscriber.ts'
import type { History } from '../history/history.ts'
import type { StreamCounts } from '../stream.metrics.ts'
import { type LiveEvent, streamKeysOf } from './audience.rules.ts'
import { createDeliver, sendLive } from './deliver.ts'
import type { Delivery } from './delivery.ts'
import { orderedQueue } from './ordered-queue.ts'
import { createProgress, type Progress } from './progress.ts'
import { type GiveUp, onceUntilWell, type ReadDeliveries } from './read-deliveries.ts'
import { createRepeats } from './repeats.ts'

/** A message in the queue; a repeat has no event, but advances the position. */
type OnItsWay = { readonly position: Position; readonly event: LiveEvent | undefined }
type Ready = { readonly position: Position; readonly deliveries: readonly Delivery[] }

/** Dispatches the messages of the live log to open streams. */
export type Dispatch = {
  take(entry: LiveEntry): void
  /** Messages before this position are unknown. */
  restart(from: Position): void
  /** Undefined before the first message. */
  progress(): Progress | undefined
}

type Deps = {
  open: OpenChannels
  history: History
  readDeliveries: ReadDeliveries
  giveUp: GiveUp
  log: Logger
  counts: StreamCounts
}

/** Closes connections whose token or login is no longer valid. */
const endRevoked = (open: OpenChannels, event: LiveEvent): void => {
  const endAll = (isMeant: (person: Person) => boolean) => {
    for (const connection of open.connections()) if (isMeant(connection.person)) connection.end('token is no longer valid')
  }
  if (event.$case === 'tokenRevoked') endAll(({ tokenId }) => tokenId === event.value.tokenId)
  else if (event.$case === 'loginClosed') endAll(({ accountId }) => accountId === event.value.accountId)
}

/** A queue of messages in log order: their views are read concurrently, and they are sent one after the other. */
const createQueue = ({ open: { subscribersTo }, readDeliveries, counts }: Deps, { advance }: ReturnType<typeof createProgress>) => {
  const deliver = createDeliver((subscriber) => subscribersTo(subscriber.channel.key).has(subscriber))
  return orderedQueue<OnItsWay, Ready>({
    prepare: async ({ position, event }) => {
      advance('begun', position)
      return { position, deliveries: event ? await readDeliveries(event, { id: positionText(position), subscribersTo }) : [] }
    },
    async deliver({ position, deliveries }) {
      await deliver(deliveries, (subscriber, event) => {
        counts.sent++
        sendLive(subscriber, event, position)
      })
      advance('delivered', position)
    },
  })
}

/**
 * Delivers messages of the live log to the connections they concern, each once and each stream's in order, and records them for resuming
 * streams. Views are read again while statuses is unavailable; if that takes too long, or the queue is full, the affected connections are
 * closed, and their clients resume. Messages that close connections take effect at once.
 */
export const createDispatch = (deps: Deps): Dispatch => {
  const { open, history, giveUp, log, counts } = deps
  const newsOf = createRepeats()
  const room = onceUntilWell(() => log.warn({}, 'live events are dropped: more arrive than can be delivered'))
  const progress = createProgress()
  const queue = createQueue(deps, progress)

  const enqueue = (position: Position, event: LiveEvent | undefined) => {
    if (queue.push({ position, event })) return room.isWell()
    if (!event) return
    counts.crowdedOut++
    room.say()
    giveUp(event, open.subscribersTo)
  }
  /** Decodes a message; undefined for a repeat, and for an unreadable one. */
  const eventOf = (message: Uint8Array): LiveEvent | undefined => {
    try {
      const { event, eventId } = LiveMessage.decode(message)
      const news = event && newsOf(event, eventId)
      if (event && !news) counts.repeated++
      return news
    } catch (error) {
      log.error({ err: error }, 'decoding a live message failed')
    }
    return undefined
  }

  return {
    take({ message, position, isKept }) {
      const event = eventOf(message)
      if (isKept || !progress.current()) progress.restart(position)
      else {
        if (event) endRevoked(open, event)
        enqueue(position, event)
      }
      // Recorded while its views are being read: it takes a millisecond for a thousand recipients.
      history.add(position, message, event ? streamKeysOf(event) : [])
    },
    restart(from) {
      history.restart(from)
      progress.restart(from)
    },
    progress: progress.current,
  }
}
