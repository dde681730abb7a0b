import type { Database, Tx } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import { type Consumer, consumer, type Outbox, type Received } from '@rookery/events'
import type { NotificationsTables } from '../database/schema.ts'
import { applyPolicies, reasonsOf } from '../policy/index.ts'
import { addDueAlerts } from '../push/index.ts'
import { type Address, type Change, netChanges } from './intake.rules.ts'
import { IntakeWriter, type Placed, readPlaced } from './intake.store.ts'
import { liveNotification, notificationStored } from './notification.events.ts'

const KINDS = ['recipientAddressed', 'notificationWithdrawn', 'accountBlocked', 'accountMuted', 'statusDeleted', 'accountRemoved'] as const
type Kind = (typeof KINDS)[number]

type Deps = { database: Database<NotificationsTables>; outbox: Outbox; publishLive: PublishLive }

/**
 * The changes of an event to inboxes. A block, and a mute with notifications, deletes the notifications from that account (beyond-the-spec
 * 1.15).
 */
const changesOf = ({ event, occurredAtMilliseconds }: Received<Kind>): Change[] => {
  switch (event.$case) {
    case 'recipientAddressed': {
      const { recipientId, reason: type, actorId, statusId, reportId, relation, detail } = event.value
      const about = { statusId: statusId || undefined, reportId: reportId ?? detail?.warning?.id ?? detail?.severed?.id, detail }
      const reasons = reasonsOf(type, relation, occurredAtMilliseconds)
      return [{ address: { recipientId, type, actorId, ...about, addressedAt: occurredAtMilliseconds, reasons } }]
    }
    case 'notificationWithdrawn': {
      const { recipientId, reason, actorId, statusId } = event.value
      const withdrawal = {
        recipientId: recipientId || undefined,
        type: reason || undefined,
        actorId: actorId || undefined,
        statusId: statusId || undefined,
      }
      return [{ withdrawal }]
    }
    case 'accountBlocked':
      return [{ withdrawal: { recipientId: event.value.accountId, actorId: event.value.targetId } }]
    case 'accountMuted':
      if (!event.value.notifications) return []
      return [{ withdrawal: { recipientId: event.value.accountId, actorId: event.value.targetId } }]
    case 'accountRemoved':
      return [{ withdrawal: { recipientId: event.value.accountId } }, { withdrawal: { actorId: event.value.accountId } }]
    case 'statusDeleted':
      // Its key is the author, so it can overtake an address about the status. Such a row is never shown: reading asks statuses.
      return [{ withdrawal: { statusId: event.value.statusId } }]
  }
}

/** The addresses of the events, with the id of their event. */
const addressesOf = (received: readonly Received<Kind>[]): (Address & { eventId: string })[] =>
  received.flatMap((each) => changesOf(each).flatMap((change) => ('address' in change ? [{ ...change.address, eventId: each.id }] : [])))

/** The pushes to devices for placed notifications. */
const alertsOf = (placed: readonly Placed[]) =>
  placed.flatMap(({ id: notificationId, subscriptionId }) => (subscriptionId === null ? [] : [{ notificationId, subscriptionId }]))

/** The notifications to publish, each once. */
const publishedOf = (placed: readonly Placed[]) => [
  ...new Map(placed.flatMap((each) => (each.isPublished ? [[each.id, each] as const] : []))).values(),
]

/**
 * Applies events to inboxes: each reason creates one notification once, unless the recipient's policy drops it, and withdrawals delete
 * theirs. Push jobs are added, and notifications to mail become events. At most eight statements per batch, whatever its size. Then
 * publishes the new notifications that still exist and are not filtered.
 */
export const intake = ({ database, outbox, publishLive }: Deps): Consumer<NotificationsTables> =>
  consumer({
    name: 'notifications.intake',
    topic: 'statuses.v1',
    kinds: KINDS,
    handle: async (tx: Tx<NotificationsTables>, received) => {
      const { withdrawals, addresses } = netChanges(received.flatMap(changesOf))
      const writer = new IntakeWriter(tx)
      await writer.withdraw(withdrawals)
      const placed = await writer.place(await applyPolicies(tx, addresses))
      await addDueAlerts(tx, alertsOf(placed))
      await outbox.append(tx, publishedOf(placed).map(notificationStored))
    },
    publishAfter: async (received) => {
      const addresses = addressesOf(received)
      if (addresses.length === 0) return
      await publishLive(async (connected) => {
        const present = new Set(connected)
        const wanted = addresses.filter(({ recipientId }) => present.has(recipientId))
        const placed = wanted.length > 0 ? await readPlaced(database.db, wanted) : []
        return placed.map(({ place, ...notification }) => liveNotification(notification, wanted[place - 1]?.eventId ?? ''))
      })
    },
  })
