import type {
  LiveConversation,
  LiveDeletion,
  LiveFiltersChanged,
  LiveMessage,
  LiveNotification,
  LiveNotificationsMerged,
  LiveStatus,
} from '@rookery/contracts/events'
import type { ConversationsDefinition, ViewerList, ViewsDefinition } from '@rookery/contracts/statuses'
import { conversationsJson, type Renderer } from '@rookery/entities'
import type { Client } from '@rookery/rpc'
import type { Calls } from '../calls.ts'
import { mayHearNotifications } from '../channels/access.rules.ts'
import { type Prepared, prepare } from '../channels/frames.ts'
import { EVERYONE_KEY, listKey, personalKey } from '../channels/names.ts'
import type { OpenChannels, Subscriber } from '../channels/open.ts'
import { sharedKeysOf } from './audience.rules.ts'
import { renderNotification, renderStatus } from './render.ts'

/** What the live channel carries. */
export type LiveEvent = NonNullable<LiveMessage['event']>

/** An event and who gets it. */
export type Delivery = { readonly event: Prepared; readonly subscribers: readonly Subscriber[] }

type Deps = {
  open: OpenChannels
  views: Client<ViewsDefinition>
  conversations: Client<ConversationsDefinition>
  renderer: Renderer
  calls: Calls
}

const subscribersOf = (open: OpenChannels, keys: readonly string[]): Subscriber[] => keys.flatMap((key) => [...open.hearing(key)])
/** Those who get it with what they are to it: on their own stream and on those of their lists. */
const recipientsOf = (
  open: OpenChannels,
  { recipientIds, listIds }: Pick<LiveStatus | LiveDeletion, 'recipientIds' | 'listIds'>,
): Subscriber[] => subscribersOf(open, [...recipientIds.map((id) => personalKey('user', id)), ...listIds.map(listKey)])
const accountIdsOf = (subscribers: readonly Subscriber[]) => [
  ...new Set(subscribers.map((subscriber) => subscriber.connection.person.accountId)),
]

/** The connections that a live message concerns, as far as it says itself: without asking who may see what it shows. */
export const concernedBy =
  (open: OpenChannels) =>
  (event: LiveEvent): Subscriber[] => {
    switch (event.$case) {
      case 'status':
      case 'deletion':
        return [...recipientsOf(open, event.value), ...subscribersOf(open, sharedKeysOf(event.value))]
      case 'notification':
        return notifiedOf(open, event.value.recipientId)
      case 'conversation':
        return subscribersOf(open, [personalKey('direct', event.value.recipientId)])
      case 'markers':
        return subscribersOf(open, [personalKey('user:markers', event.value.recipientId)])
      case 'filtersChanged':
        return subscribersOf(open, [personalKey('user', event.value.accountId)])
      case 'notificationsMerged':
        return notifiedOf(open, event.value.accountId)
      case 'announcement':
      case 'announcementReaction':
      case 'announcementDeletion':
        return subscribersOf(open, [EVERYONE_KEY])
      default:
        return []
    }
  }

/** The streams that carry a person's notifications, but for those whose token does not cover them. */
const notifiedOf = (open: OpenChannels, recipientId: string): Subscriber[] =>
  subscribersOf(open, [personalKey('user', recipientId), personalKey('user:notification', recipientId)]).filter(({ connection }) =>
    mayHearNotifications(connection.person.scopes),
  )

/** Those who get the same event together. */
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
 * A new status: with their own flags to recipients and on their lists, without flags to public and tag streams, there only to those whom neither a block nor a
 * mute keeps from its author (beyond-the-spec 1.7). All get what their filters say. One call for all viewers beside one for all listeners.
 */
export const statusDeliveries =
  ({ open, views, renderer, calls }: Deps) =>
  async (live: LiveStatus): Promise<Delivery[]> => {
    const recipients = recipientsOf(open, live)
    const listeners = subscribersOf(open, sharedKeysOf(live))
    if (recipients.length === 0 && listeners.length === 0) return []
    const call = calls.begin()
    const [seen, sifted] = await Promise.all([
      views.readForViewers(call, { statusId: live.statusId, viewerIds: accountIdsOf(recipients) }),
      listeners.length > 0
        ? views.siftViewers(call, { authorId: live.authorId, viewerIds: accountIdsOf(listeners), statusId: live.statusId })
        : NONE,
    ])
    const status = renderStatus(renderer, seen, { isEdit: live.isEdit, listeners: sifted.filtered })
    const admitted = new Set(sifted.viewerIds)
    return [
      ...grouped(recipients, ({ connection }) => status.forViewer(connection.person.accountId)),
      ...grouped(listeners, ({ connection }) =>
        admitted.has(connection.person.accountId) ? status.forListener(connection.person.accountId) : undefined,
      ),
    ]
  }

/** A status that is gone: its bare id, wherever it was shown. */
export const deletionDeliveries =
  ({ open }: Pick<Deps, 'open'>) =>
  (live: LiveDeletion): Delivery[] => {
    const subscribers = [...recipientsOf(open, live), ...subscribersOf(open, sharedKeysOf(live))]
    return subscribers.length > 0 ? [{ event: prepare('delete', live.statusId), subscribers }] : []
  }

/** A new notification, to the recipient's streams whose token covers notifications. */
export const notificationDeliveries =
  ({ open, views, renderer, calls }: Deps) =>
  async (live: LiveNotification): Promise<Delivery[]> => {
    const { recipientId } = live
    const subscribers = notifiedOf(open, recipientId)
    if (subscribers.length === 0) return []
    const call = calls.begin()
    const [accounts, statuses, reports] = await Promise.all([
      views.readAccounts(call, { ids: [live.accountId] }),
      live.statusId ? views.readStatuses(call, { ids: [live.statusId], viewerId: recipientId }) : undefined,
      live.reportId ? views.readReports(call, { ids: [live.reportId], viewerId: recipientId }) : undefined,
    ])
    const event = renderNotification(renderer, live, { accounts, statuses, reports })
    return event ? [{ event, subscribers }] : []
  }

/** A conversation that has something new or was marked, to its owner's own stream; nothing when it was hidden meanwhile. */
export const conversationDeliveries =
  ({ open, conversations, renderer, calls }: Deps) =>
  async ({ recipientId, conversationId }: LiveConversation): Promise<Delivery[]> => {
    const subscribers = subscribersOf(open, [personalKey('direct', recipientId)])
    if (subscribers.length === 0) return []
    const page = await conversations.read(calls.begin(), { id: conversationId, viewerId: recipientId })
    return conversationsJson(page, renderer).map((json) => ({ event: prepare('conversation', json), subscribers }))
  }

/** Filters that changed, to each of their owner's `user` streams: it has no payload (spec, Event types). */
export const filtersDeliveries =
  ({ open }: Pick<Deps, 'open'>) =>
  ({ accountId }: LiveFiltersChanged): Delivery[] => {
    const subscribers = subscribersOf(open, [personalKey('user', accountId)])
    return subscribers.length > 0 ? [{ event: prepare('filters_changed'), subscribers }] : []
  }

/** Notifications of accepted requests that appeared, to their owner's streams of notifications: it has no payload (beyond-the-spec 1.7). */
export const mergedDeliveries =
  ({ open }: Pick<Deps, 'open'>) =>
  ({ accountId }: LiveNotificationsMerged): Delivery[] => {
    const subscribers = notifiedOf(open, accountId)
    return subscribers.length > 0 ? [{ event: prepare('notifications_merged'), subscribers }] : []
  }
