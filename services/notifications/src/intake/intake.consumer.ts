import { afterCommit, type Tx } from '@rookery/database'
import type { LiveChannel, Presence } from '@rookery/ephemeral'
import { type Consumer, consumer, type Received } from '@rookery/events'
import type { Logger } from '@rookery/runtime'
import type { NotificationsTables } from '../database/schema.ts'
import { type Change, settle } from './intake.rules.ts'
import { IntakeWriter, type NewNotification } from './intake.store.ts'
import { liveNotification } from './notification.events.ts'

const KINDS = ['recipientAddressed', 'notificationWithdrawn', 'accountBlocked', 'accountMuted', 'statusDeleted', 'accountRemoved'] as const

type Given = { live: LiveChannel; presence: Presence; log: Logger }

/** What a fact means for inboxes. A block, and a mute with notifications, clears what that account told (beyond-the-spec 1.15). */
const changesOf = ({ fact, occurredAtMilliseconds }: Received<(typeof KINDS)[number]>): Change[] => {
  switch (fact.$case) {
    case 'recipientAddressed': {
      const { recipientId, reason, actorId, statusId, reportId } = fact.value
      const about = { statusId: statusId || undefined, reportId }
      return [{ address: { recipientId, type: reason, actorId, ...about, addressedAt: occurredAtMilliseconds } }]
    }
    case 'notificationWithdrawn': {
      const { recipientId, reason, actorId, statusId } = fact.value
      const withdrawal = {
        recipientId: recipientId || undefined,
        type: reason || undefined,
        actorId: actorId || undefined,
        statusId: statusId || undefined,
      }
      return [{ withdrawal }]
    }
    case 'accountBlocked':
      return [{ withdrawal: { recipientId: fact.value.accountId, actorId: fact.value.targetId } }]
    case 'accountMuted':
      if (!fact.value.notifications) return []
      return [{ withdrawal: { recipientId: fact.value.accountId, actorId: fact.value.targetId } }]
    case 'accountRemoved':
      return [{ withdrawal: { recipientId: fact.value.accountId } }, { withdrawal: { actorId: fact.value.accountId } }]
    case 'statusDeleted':
      // Its key is the author, so it can overtake an address about the status. Such a row is never shown: reading asks statuses.
      return [{ withdrawal: { statusId: fact.value.statusId } }]
  }
}

/** Tells the connections of recipients who are there; may be lost, since the rows are kept. */
const announce = async ({ live, presence }: Given, placed: readonly NewNotification[]) => {
  const connected = new Set(await presence.connected())
  for (const notification of placed) if (connected.has(notification.recipient_id)) live.publish(liveNotification(notification))
}

/**
 * Keeps inboxes as the facts say: each reason to tell somebody makes one notification once, and what is undone is taken out. Two
 * statements a batch, whatever its size.
 */
export const intake = (given: Given): Consumer<NotificationsTables> =>
  consumer({
    name: 'notifications.intake',
    topic: 'statuses.v1',
    kinds: KINDS,
    handle: async (tx: Tx<NotificationsTables>, received) => {
      const { withdrawals, addresses } = settle(received.flatMap(changesOf))
      const writer = new IntakeWriter(tx)
      await writer.withdraw(withdrawals)
      const placed = await writer.place(addresses)
      if (placed.length === 0) return
      afterCommit(tx, () =>
        announce(given, placed).catch((error: unknown) => given.log.warn({ err: error }, 'live notifications were lost')),
      )
    },
  })
