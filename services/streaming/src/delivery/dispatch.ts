import { LiveMessage } from '@rookery/contracts/events'
import { isAfter, type LiveEntry, type Position, positionText } from '@rookery/ephemeral'
import type { Logger } from '@rookery/runtime'
import type { OpenChannels, Person } from '../channels/open.ts'
import type { History } from '../history/history.ts'
import type { StreamCounts } from '../stream.metrics.ts'
import { type LiveEvent, streamKeysOf } from './audience.rules.ts'
import { createDeliver, sendLive } from './deliver.ts'
import type { Delivery } from './delivery.ts'
import { type GiveUp, type Insist, onceUntilWell } from './insist.ts'
import { orderedQueue } from './ordered-queue.ts'
import { createRepeats } from './repeats.ts'

/** A message on its way; a repeat goes along without being delivered, as it has a position too. */
type OnItsWay = { readonly position: Position; readonly event: LiveEvent | undefined }
type Ready = { readonly position: Position; readonly deliveries: readonly Delivery[] }

/** How far this process is in the log. */
export type Progress = {
  /** Up to here it is settled which open streams get each message. */
  readonly begun: Position
  /** Up to here everything was sent. */
  readonly delivered: Position
}

/** Takes what the live log carries to open streams. */
export type Dispatch = {
  take(entry: LiveEntry): void
  /** What comes before a position is not known. */
  restart(from: Position): void
  /** Undefined while nothing of the log was read. */
  progress(): Progress | undefined
}

/**
 * Takes messages of the live log to the connections they concern, each once, each stream's in the order they came, and records them to be
 * resumed from. What a message shows is asked for again while it cannot be had; when that takes too long, or too many messages wait, the
 * connections it concerns are ended, and their clients resume. What closes connections acts at once.
 */
export const createDispatch = (given: {
  open: OpenChannels
  history: History
  insist: Insist
  giveUp: GiveUp
  log: Logger
  counts: StreamCounts
}): Dispatch => {
  const { open, history, insist, giveUp, log, counts } = given
  const { hearing } = open
  const isRepeated = createRepeats()
  const deliver = createDeliver((subscriber) => hearing(subscriber.channel.key).has(subscriber))
  const room = onceUntilWell(() => log.warn({}, 'live events are dropped: more arrive than can be delivered'))
  let progress: Progress | undefined

  /** Positions of a log that was lost meanwhile count for nothing. */
  const advance = (part: keyof Progress, position: Position) => {
    const reached = progress?.[part]
    if (progress && reached?.epoch === position.epoch && isAfter(position, reached)) progress = { ...progress, [part]: position }
  }

  const queue = orderedQueue<OnItsWay, Ready>({
    prepare: async ({ position, event }) => {
      advance('begun', position)
      return { position, deliveries: event ? await insist(event, { id: positionText(position), hearing }) : [] }
    },
    async deliver({ position, deliveries }) {
      await deliver(deliveries, (subscriber, event) => {
        counts.sent++
        sendLive(subscriber, event, position)
      })
      advance('delivered', position)
    },
  })

  const endAll = (isMeant: (person: Person) => boolean) => {
    for (const connection of open.connections()) if (isMeant(connection.person)) connection.end('token is no longer valid')
  }
  const act = (event: LiveEvent) => {
    if (event.$case === 'tokenRevoked') endAll(({ tokenId }) => tokenId === event.value.tokenId)
    else if (event.$case === 'loginClosed') endAll(({ accountId }) => accountId === event.value.accountId)
  }
  const enqueue = (position: Position, event: LiveEvent | undefined) => {
    if (queue.push({ position, event })) return room.isWell()
    if (!event) return
    counts.crowdedOut++
    room.say()
    giveUp(event, hearing)
  }

  return {
    take({ message, position, isKept }) {
      let event: LiveEvent | undefined
      try {
        const decoded = LiveMessage.decode(message)
        if (decoded.event && isRepeated(decoded.event, decoded.eventId)) counts.repeated++
        else event = decoded.event
      } catch (error) {
        log.error({ err: error }, 'decoding a live message failed')
      }
      history.add(position, message, event ? streamKeysOf(event) : [])
      if (isKept || !progress) {
        progress = { begun: position, delivered: position }
        return
      }
      if (event) act(event)
      enqueue(position, event)
    },
    restart(from) {
      history.restart(from)
      progress = { begun: from, delivered: from }
    },
    progress: () => progress,
  }
}
