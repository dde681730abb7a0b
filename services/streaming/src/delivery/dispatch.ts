import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { LiveMessage } from '@rookery/contracts/events'
import type { ConversationsDefinition, ViewsDefinition } from '@rookery/contracts/statuses'
import type { Renderer } from '@rookery/entities'
import { Failure } from '@rookery/failures'
import type { Client } from '@rookery/rpc'
import type { Logger } from '@rookery/runtime'
import type { Calls } from '../calls.ts'
import type { Connection, OpenChannels, Person } from '../channels/open.ts'
import type { StreamCounts } from '../stream.metrics.ts'
import { announcementDeliveries } from './announcement-deliveries.ts'
import {
  concernedBy,
  conversationDeliveries,
  type Delivery,
  deletionDeliveries,
  filtersDeliveries,
  type LiveEvent,
  mergedDeliveries,
  notificationDeliveries,
  statusDeliveries,
} from './deliveries.ts'
import { markerDeliveries } from './marker-deliveries.ts'
import { orderedQueue } from './ordered-queue.ts'
import { createRepeats } from './repeats.ts'

/** After so many frames other work of the process gets its turn. */
const FRAMES_A_TURN = 250

const isUnavailable = (error: unknown) => error instanceof Failure && error.kind === 'unavailable'

/** Says something the first time it happens, and again only after it had got better. */
const onceUntilWell = (say: (error?: unknown) => void) => {
  let isSaid = false
  return {
    isWell: () => {
      isSaid = false
    },
    say: (error?: unknown) => {
      if (!isSaid) say(error)
      isSaid = true
    },
  }
}

/**
 * Takes messages of the live channel to the connections they concern, each once, each stream's in the order they came. What a message shows
 * is asked for again while it cannot be had; when that takes too long, or too many messages wait, the connections it concerns are ended, and
 * their clients read what they missed. What closes connections acts at once.
 */
export const createDispatch = (given: {
  open: OpenChannels
  views: Client<ViewsDefinition>
  conversations: Client<ConversationsDefinition>
  renderer: Renderer
  calls: Calls
  log: Logger
  counts: StreamCounts
  /** Ends connections on which events may be missing. */
  end(connections: readonly Connection[]): void
  retryAfter: readonly number[]
}): ((bytes: Uint8Array) => void) => {
  const { open, log, counts, retryAfter } = given
  const concerned = concernedBy(open)
  const isRepeated = createRepeats()
  const ofStatus = statusDeliveries(given)
  const ofDeletion = deletionDeliveries(given)
  const ofFilters = filtersDeliveries(given)
  const ofMerged = mergedDeliveries(given)
  const ofAnnouncement = announcementDeliveries(given)
  const ofMarkers = markerDeliveries(given)
  const ofNotification = notificationDeliveries(given)
  const ofConversation = conversationDeliveries(given)
  const reach = onceUntilWell((error) => log.warn({ err: error }, 'statuses does not answer, live events are waiting'))
  const room = onceUntilWell(() => log.warn({}, 'live events are dropped: more arrive than can be delivered'))

  const giveUp = (event: LiveEvent) => given.end([...new Set(concerned(event).map(({ connection }) => connection))])

  const insist = async <Event extends LiveEvent>(event: Event, deliveriesOf: (value: Event['value']) => Promise<Delivery[]>) => {
    for (let attempt = 0; ; attempt++) {
      try {
        const made = await deliveriesOf(event.value)
        reach.isWell()
        return made
      } catch (error) {
        reach.say(error)
        const wait = isUnavailable(error) ? retryAfter[attempt] : undefined
        if (wait === undefined) break
        await pause(wait, undefined, { ref: false })
      }
    }
    counts.unreadable++
    giveUp(event)
    return []
  }

  const deliver = async (deliveries: readonly Delivery[]) => {
    let sent = 0
    for (const { event, subscribers } of deliveries) {
      for (const subscriber of subscribers) {
        const { connection, channel } = subscriber
        // It may have stopped listening since the message came.
        if (open.hearing(channel.key).has(subscriber)) {
          counts.sent++
          connection.send(event, channel.label)
        }
        if (++sent % FRAMES_A_TURN === 0) await turn()
      }
    }
  }

  const queue = orderedQueue<LiveEvent, Delivery[]>({
    prepare: async (event) => {
      switch (event.$case) {
        case 'status':
          return insist(event, ofStatus)
        case 'notification':
          return insist(event, ofNotification)
        case 'conversation':
          return insist(event, ofConversation)
        case 'deletion':
          return ofDeletion(event.value)
        case 'markers':
          return ofMarkers(event.value)
        case 'filtersChanged':
          return ofFilters(event.value)
        case 'notificationsMerged':
          return ofMerged(event.value)
        case 'announcement':
        case 'announcementReaction':
        case 'announcementDeletion':
          return ofAnnouncement(event)
        default:
          return []
      }
    },
    deliver,
  })

  const endAll = (isMeant: (person: Person) => boolean) => {
    for (const connection of open.connections()) if (isMeant(connection.person)) connection.end('token is no longer valid')
  }

  const take = (event: LiveEvent, eventId: string | undefined) => {
    if (isRepeated(event, eventId)) counts.repeated++
    else if (event.$case === 'tokenRevoked') endAll(({ tokenId }) => tokenId === event.value.tokenId)
    else if (event.$case === 'loginClosed') endAll(({ accountId }) => accountId === event.value.accountId)
    else if (queue.push(event)) room.isWell()
    else {
      counts.crowdedOut++
      room.say()
      giveUp(event)
    }
  }

  return (bytes) => {
    try {
      const { event, eventId } = LiveMessage.decode(bytes)
      if (event) take(event, eventId)
    } catch (error) {
      log.error({ err: error }, 'decoding a live message failed')
    }
  }
}
