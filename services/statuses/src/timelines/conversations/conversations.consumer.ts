import type { Database } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import { consumer, type Received } from '@rookery/events'
import { idAtTime } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { liveConversation } from './conversation.events.ts'
import {
  ConversationWriter,
  readConversationsIn,
  readConversationsWith,
  type Silencing,
  type ThreadChange,
} from './conversations-writer.store.ts'

type Deps = { database: Database<StatusesTables>; publishLive: PublishLive; clock: Clock }

const KINDS = ['statusPublished', 'statusEdited', 'statusDeleted', 'accountBlocked', 'accountMuted', 'conversationMarked'] as const
type Kind = (typeof KINDS)[number]

/** Direct statuses, edits that add participants, blocks, mutes that include notifications (beyond-the-spec 1.15), and marks. */
const concerns = (event: Received<Kind>['event']): boolean => {
  switch (event.$case) {
    case 'statusPublished':
      return event.value.visibility === 'direct' && !event.value.reblogOfId && !event.value.isFetched
    case 'statusDeleted':
      return event.value.visibility === 'direct' && !event.value.reblogOfId
    case 'statusEdited':
      return event.value.hasJoiners
    case 'accountMuted':
      return event.value.notifications
    case 'accountBlocked':
    case 'conversationMarked':
      return true
  }
}

const silencingOf = ({ event, occurredAtMilliseconds }: Received<Kind>): Silencing[] => {
  if (event.$case !== 'accountBlocked' && event.$case !== 'accountMuted') return []
  const { accountId, targetId } = event.value
  return [{ ownerId: accountId, targetId, beforeId: idAtTime(occurredAtMilliseconds + 1) }]
}

const markedOf = ({ id: eventId, event }: Received<Kind>) =>
  event.$case === 'conversationMarked' ? [{ eventId, id: event.value.conversationId, ownerId: event.value.accountId }] : []

/** Statuses that events add to conversations. */
const placedBy = (received: readonly Received<Kind>[]): string[] =>
  received.flatMap(({ event }) => (event.$case === 'statusPublished' || event.$case === 'statusEdited' ? [event.value.statusId] : []))

/** The ids of the events of new statuses. */
const publishing = (received: readonly Received<Kind>[]): Map<string, string> =>
  new Map(received.flatMap(({ id, event }) => (event.$case === 'statusPublished' ? [[event.value.statusId, id] as const] : [])))

/** Deletions, and edits that move a status to another conversation of its thread. */
const changesOf = ({ id: eventId, event }: Received<Kind>): ThreadChange[] => {
  if (event.$case === 'statusEdited') return [{ eventId, statusId: event.value.statusId }]
  return event.$case === 'statusDeleted' && event.value.threadId ? [{ eventId, threadId: event.value.threadId }] : []
}

/** The changed conversations of connected accounts, each with the event that changed it. */
const readChanged = async (db: Deps['database']['db'], received: readonly Received<Kind>[], connected: readonly string[]) => {
  const published = publishing(received)
  const changes = received.flatMap(changesOf)
  const present = new Set(connected)
  const marked = received.flatMap(markedOf).filter(({ ownerId }) => present.has(ownerId))
  if (connected.length === 0) return marked
  const touched = published.size > 0 ? await readConversationsWith(db, [...published.keys()], connected) : []
  const moved = changes.length > 0 ? await readConversationsIn(db, changes, connected) : []
  return [...touched.map(({ statusId, ...owned }) => ({ ...owned, eventId: published.get(statusId) ?? '' })), ...moved, ...marked]
}

/** Whether an event may change what a conversation shows; clients clear those of a person whom their owner blocks or mutes themselves. */
const changes = ({ event: { $case } }: Received<Kind>): boolean => $case !== 'accountBlocked' && $case !== 'accountMuted'

/**
 * Updates conversations for events (beyond-the-spec 1.16) and publishes new messages and marks, and where a conversation ends after a deletion. The
 * number of statements does not depend on the number of events.
 */
export const keepConversations = ({ database, publishLive, clock }: Deps) =>
  consumer<StatusesTables, Kind>({
    name: 'statuses.conversations',
    topic: 'statuses.v1',
    kinds: KINDS,
    concerns,
    async handle(tx, received) {
      const writer = new ConversationWriter(tx)
      const deleted = received.flatMap(({ event }) => (event.$case === 'statusDeleted' ? [event.value] : []))
      const silenced = received.flatMap(silencingOf)
      const joined = received.flatMap(({ event }) => (event.$case === 'statusEdited' ? [event.value.statusId] : []))
      const brought = placedBy(received)
      if (joined.length > 0) await writer.leave(joined)
      if (brought.length > 0) await writer.place(brought, new Date(clock.now()))
      if (deleted.length > 0) await writer.withdraw(deleted)
      if (silenced.length > 0) await writer.clear(silenced)
    },
    async publishAfter(received) {
      if (!received.some(changes)) return
      await publishLive(async (connected) =>
        (await readChanged(database.db, received, connected)).map(({ eventId, ...owned }) => liveConversation(owned, eventId)),
      )
    },
  })
