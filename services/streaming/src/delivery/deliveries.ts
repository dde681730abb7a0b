import type { LiveConversation, LiveDeletion, LiveMarkers, LiveNotification, LiveStatus } from '@rookery/contracts/events'
import type { ConversationsDefinition, GraphDefinition, ViewerList, ViewsDefinition } from '@rookery/contracts/statuses'
import { conversationsJson, markersEntity, mayBeNotified, type Renderer } from '@rookery/entities'
import type { Client } from '@rookery/rpc'
import type { Calls } from '../calls.ts'
import { mayReceiveNotifications } from '../channels/access.rules.ts'
import { type Prepared, prepare } from '../channels/frames.ts'
import { personalKey } from '../channels/names.ts'
import type { Subscriber } from '../channels/subscriber.ts'
import { announcementDeliveries } from './announcement-deliveries.ts'
import { type LiveEvent, notificationKeysOf, recipientKeysOf, sharedKeysOf, streamKeysOf } from './audience.rules.ts'
import type { Delivery, StreamSubscribers, Target } from './delivery.ts'
import { renderNotification, renderStatus } from './render.ts'

type Deps = {
  views: Client<ViewsDefinition>
  graph: Client<GraphDefinition>
  conversations: Client<ConversationsDefinition>
  renderer: Renderer
  calls: Calls
}

const subscribersOf = (subscribersTo: StreamSubscribers, keys: readonly string[]): Subscriber[] => {
  const found: Subscriber[] = []
  for (const key of keys) for (const subscriber of subscribersTo(key)) found.push(subscriber)
  return found
}
const accountIdsOf = (subscribers: readonly Subscriber[]) => [
  ...new Set(subscribers.map((subscriber) => subscriber.connection.person.accountId)),
]

/** Subscribers to a person's notifications whose token includes them. */
const notifiedOf = (subscribersTo: StreamSubscribers, recipientId: string): Subscriber[] =>
  subscribersOf(subscribersTo, notificationKeysOf(recipientId)).filter(({ connection }) =>
    mayReceiveNotifications(connection.person.scopes),
  )

/** The subscribers that an event concerns, before visibility is checked. */
export const concernedBy = (event: LiveEvent, subscribersTo: StreamSubscribers): Subscriber[] => {
  if (event.$case === 'notification') return notifiedOf(subscribersTo, event.value.recipientId)
  if (event.$case === 'notificationsMerged') return notifiedOf(subscribersTo, event.value.accountId)
  return subscribersOf(subscribersTo, streamKeysOf(event))
}

const toAll = (subscribers: readonly Subscriber[], event: () => Prepared): Delivery[] =>
  subscribers.length > 0 ? [{ event: event(), subscribers }] : []

/** Groups subscribers that get the same event. */
const grouped = (subscribers: readonly Subscriber[], eventOf: (subscriber: Subscriber) => Prepared | undefined): Delivery[] => {
  const groups = new Map<Prepared, Subscriber[]>()
  for (const subscriber of subscribers) {
    const event = eventOf(subscriber)
    if (!event) continue
    const group = groups.get(event)
    if (group) group.push(subscriber)
    else groups.set(event, [subscriber])
  }
  return [...groups].map(([event, group]) => ({ event, subscribers: group }))
}

const NONE: ViewerList = { viewerIds: [], filtered: [] }

/**
 * Delivers a new status: with the viewer's flags to recipients and on their lists; without flags to public and tag streams, there only to
 * viewers without a block or mute between them and the author (beyond-the-spec 1.7). All get the matches of their filters. Takes one call
 * for all viewers and listeners.
 */
const statusDeliveries =
  ({ views, renderer, calls }: Deps) =>
  async (live: LiveStatus, { id, subscribersTo }: Target): Promise<Delivery[]> => {
    const recipients = subscribersOf(subscribersTo, recipientKeysOf(live))
    const listeners = subscribersOf(subscribersTo, sharedKeysOf(live))
    if (recipients.length === 0 && listeners.length === 0) return []
    const call = calls.begin()
    const [seen, sifted] = await Promise.all([
      views.readForViewers(call, {
        statusId: live.statusId,
        viewerIds: accountIdsOf(recipients),
        listenerIds: live.hasViewerQuotes ? accountIdsOf(listeners) : [],
      }),
      listeners.length > 0
        ? views.siftViewers(call, { authorId: live.authorId, viewerIds: accountIdsOf(listeners), statusId: live.statusId })
        : NONE,
    ])
    const status = renderStatus(renderer, seen, { id, isEdit: live.isEdit, listeners: sifted.filtered })
    const admitted = new Set(sifted.viewerIds)
    return [
      ...grouped(recipients, ({ connection }) => status.forViewer(connection.person.accountId)),
      ...grouped(listeners, ({ connection }) =>
        admitted.has(connection.person.accountId) ? status.forListener(connection.person.accountId) : undefined,
      ),
    ]
  }

/** Delivers a deletion: the bare id, to all streams that carried the status. */
const deletionDeliveries = (live: LiveDeletion, { id, subscribersTo }: Target): Delivery[] =>
  toAll(subscribersOf(subscribersTo, [...recipientKeysOf(live), ...sharedKeysOf(live)]), () =>
    prepare({ event: 'delete', payload: live.statusId, id }),
  )

/**
 * Delivers a new notification, to the recipient's streams whose token includes notifications; nothing if a block or mute has come between since, as
 * when a resumed stream missed it.
 */
const notificationDeliveries =
  ({ views, graph, renderer, calls }: Deps) =>
  async (live: LiveNotification, { id, subscribersTo }: Target): Promise<Delivery[]> => {
    const { recipientId } = live
    const subscribers = notifiedOf(subscribersTo, recipientId)
    if (subscribers.length === 0) return []
    const call = calls.begin()
    const [{ relationships }, accounts, statuses, reports] = await Promise.all([
      graph.readRelationships(call, { viewerId: recipientId, accountIds: [live.accountId] }),
      views.readAccounts(call, { ids: [live.accountId], withNewcomers: true }),
      live.statusId ? views.readStatuses(call, { ids: [live.statusId], viewerId: recipientId }) : undefined,
      live.reportId ? views.readReports(call, { ids: [live.reportId], viewerId: recipientId }) : undefined,
    ])
    if (!relationships.every(mayBeNotified)) return []
    const event = renderNotification(renderer, live, { id, accounts, statuses, reports })
    return event ? [{ event, subscribers }] : []
  }

/** Delivers a new or changed conversation to its owner's stream; nothing if it was hidden meanwhile. */
const conversationDeliveries =
  ({ conversations, renderer, calls }: Deps) =>
  async ({ recipientId, conversationId }: LiveConversation, { id, subscribersTo }: Target): Promise<Delivery[]> => {
    const subscribers = subscribersOf(subscribersTo, [personalKey('direct', recipientId)])
    if (subscribers.length === 0) return []
    const page = await conversations.read(calls.begin(), { id: conversationId, viewerId: recipientId })
    return conversationsJson(page, renderer).map((payload) => ({ event: prepare({ event: 'conversation', payload, id }), subscribers }))
  }

/** Delivers changed markers, in the form of GET /api/v1/markers, to the owner's `user:markers` streams. */
const markerDeliveries = ({ recipientId, markers }: LiveMarkers, { id, subscribersTo }: Target): Delivery[] =>
  toAll(subscribersOf(subscribersTo, [personalKey('user:markers', recipientId)]), () =>
    prepare({ event: 'marker', payload: JSON.stringify(markersEntity(markers)), id }),
  )

/** Reads the deliveries of an event, for live or resumed streams. Visibility is checked at this moment. */
export const createDeliveries = (deps: Deps): ((event: LiveEvent, target: Target) => Promise<Delivery[]>) => {
  const ofStatus = statusDeliveries(deps)
  const ofNotification = notificationDeliveries(deps)
  const ofConversation = conversationDeliveries(deps)
  const ofAnnouncement = announcementDeliveries(deps.renderer)
  return async (event, target) => {
    switch (event.$case) {
      case 'status':
        return ofStatus(event.value, target)
      case 'notification':
        return ofNotification(event.value, target)
      case 'conversation':
        return ofConversation(event.value, target)
      case 'deletion':
        return deletionDeliveries(event.value, target)
      case 'markers':
        return markerDeliveries(event.value, target)
      // Without a payload (spec, Event types).
      case 'filtersChanged':
        return toAll(concernedBy(event, target.subscribersTo), () => prepare({ event: 'filters_changed', id: target.id }))
      // A meaningless payload (beyond-the-spec 1.7): without one, programs that parse event streams as JSON would stop.
      case 'notificationsMerged':
        return toAll(concernedBy(event, target.subscribersTo), () =>
          prepare({ event: 'notifications_merged', payload: '1', id: target.id }),
        )
      case 'announcement':
      case 'announcementReaction':
      case 'announcementDeletion':
        return ofAnnouncement(event, target)
      case 'tokenRevoked':
      case 'loginClosed':
        return []
    }
  }
}
