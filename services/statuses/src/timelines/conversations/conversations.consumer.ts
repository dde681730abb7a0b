import type { Database } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import { consumer, type Received } from '@rookery/events'
import { idAtTime } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { liveConversation } from './conversation.events.ts'
import { ConversationWriter, readConversationsWith, type Silencing } from './conversations-writer.store.ts'

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

/** The ids of events by the status they add to conversations. */
const bringing = (received: readonly Received<Kind>[]): Map<string, string> =>
  new Map(
    received.flatMap(({ id, event }) =>
      event.$case === 'statusPublished' || event.$case === 'statusEdited' ? [[event.value.statusId, id] as const] : [],
    ),
  )

/**
 * Updates conversations for events (beyond-the-spec 1.16) and publishes new messages and marks. The number of statements does not depend on the
 * number of events.
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
      const brought = [...bringing(received).keys()]
      if (joined.length > 0) await writer.leave(joined)
      if (brought.length > 0) await writer.place(brought, new Date(clock.now()))
      if (deleted.length > 0) await writer.withdraw(deleted)
      if (silenced.length > 0) await writer.clear(silenced)
    },
    async publishAfter(received) {
      const events = bringing(received)
      const marked = received.flatMap(markedOf)
      if (events.size + marked.length === 0) return
      await publishLive(async (connected) => {
        const statusIds = connected.length > 0 ? [...events.keys()] : []
        const touched = statusIds.length > 0 ? await readConversationsWith(database.db, statusIds, connected) : []
        const present = new Set(connected)
        return [
          ...touched.map(({ statusId, ...conversation }) => liveConversation(conversation, events.get(statusId) ?? '')),
          ...marked.filter(({ ownerId }) => present.has(ownerId)).map(({ eventId, ...owned }) => liveConversation(owned, eventId)),
        ]
      })
    },
  })
