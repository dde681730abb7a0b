import { setImmediate as turn } from 'node:timers/promises'
import { LiveMessage } from '@rookery/contracts/events'
import type { ConversationsDefinition, ViewsDefinition } from '@rookery/contracts/statuses'
import type { Renderer } from '@rookery/entities'
import type { Client } from '@rookery/rpc'
import type { Logger } from '@rookery/runtime'
import type { Calls } from '../calls.ts'
import type { OpenChannels, Person } from '../channels/open.ts'
import type { StreamCounts } from '../stream.figures.ts'
import {
  conversationDeliveries,
  type Delivery,
  deletionDeliveries,
  filtersDeliveries,
  notificationDeliveries,
  statusDeliveries,
} from './deliveries.ts'
import { inTurn } from './in-turn.ts'
import { markerDeliveries } from './marker-deliveries.ts'

type LiveEvent = NonNullable<LiveMessage['event']>

/** After so many frames other work of the process gets its turn. */
const FRAMES_A_TURN = 250

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
 * Takes messages of the live channel to the connections they concern, each stream's in the order they came. A message whose views cannot be
 * had is dropped: it may be lost, and the rows behind it are kept. What closes connections acts at once.
 */
export const createDispatch = (given: {
  open: OpenChannels
  views: Client<ViewsDefinition>
  conversations: Client<ConversationsDefinition>
  renderer: Renderer
  calls: Calls
  log: Logger
  counts: StreamCounts
}): ((bytes: Uint8Array) => void) => {
  const { open, log, counts } = given
  const ofStatus = statusDeliveries(given)
  const ofDeletion = deletionDeliveries(given)
  const ofFilters = filtersDeliveries(given)
  const ofMarkers = markerDeliveries(given)
  const ofNotification = notificationDeliveries(given)
  const ofConversation = conversationDeliveries(given)
  const reach = onceUntilWell((error) => log.warn({ err: error }, 'live events are lost while statuses does not answer'))
  const room = onceUntilWell(() => log.warn({}, 'live events are dropped: more arrive than can be delivered'))

  const withViews = async (deliveries: Promise<Delivery[]>): Promise<Delivery[]> => {
    try {
      const made = await deliveries
      reach.isWell()
      return made
    } catch (error) {
      counts.unreadable++
      reach.say(error)
      return []
    }
  }

  const deliver = async (deliveries: readonly Delivery[]) => {
    let sent = 0
    for (const { event, hearers } of deliveries) {
      for (const hearer of hearers) {
        const { connection, channel } = hearer
        // It may have stopped listening since the message came.
        if (open.hearing(channel.key).has(hearer)) {
          counts.sent++
          connection.send(event, channel.label)
        }
        if (++sent % FRAMES_A_TURN === 0) await turn()
      }
    }
  }

  const queue = inTurn<LiveEvent, Delivery[]>({
    prepare: async (event) => {
      switch (event.$case) {
        case 'status':
          return withViews(ofStatus(event.value))
        case 'notification':
          return withViews(ofNotification(event.value))
        case 'conversation':
          return withViews(ofConversation(event.value))
        case 'deletion':
          return ofDeletion(event.value)
        case 'markers':
          return ofMarkers(event.value)
        case 'filtersChanged':
          return ofFilters(event.value)
        default:
          return []
      }
    },
    deliver,
  })

  const endAll = (isMeant: (person: Person) => boolean) => {
    for (const connection of open.connections()) if (isMeant(connection.person)) connection.end('token is no longer valid')
  }

  const take = (event: LiveEvent) => {
    if (event.$case === 'tokenRevoked') endAll(({ tokenId }) => tokenId === event.value.tokenId)
    else if (event.$case === 'loginClosed') endAll(({ accountId }) => accountId === event.value.accountId)
    else if (queue.push(event)) room.isWell()
    else {
      counts.crowdedOut++
      room.say()
    }
  }

  return (bytes) => {
    try {
      const { event } = LiveMessage.decode(bytes)
      if (event) take(event)
    } catch (error) {
      log.error({ err: error }, 'a live message could not be read')
    }
  }
}
