import type { Database } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import { consumer, type Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { liveAnnouncement, liveAnnouncementDeletion, liveAnnouncementReaction } from './announcement.events.ts'
import { announcementMessage, reactionMessage } from './announcement.message.ts'
import { readShown } from './announcement.store.ts'
import { type ReactionName, readCounts } from './reaction.store.ts'

const KINDS = ['announcementPublished', 'announcementChanged', 'announcementWithdrawn', 'announcementReactionsChanged'] as const
type Kind = (typeof KINDS)[number]

/** The latest event of an announcement, or of one emoji of an announcement. */
type Subject = { eventId: string; announcementId: string; name: string | undefined }

const keyOf = ({ announcementId, name }: Omit<Subject, 'eventId'>) => `${announcementId} ${name ?? ''}`

const subjectsOf = (received: readonly Received<Kind>[]): Subject[] => {
  const subjects = received.map(({ id, event }) => {
    const name = event.$case === 'announcementReactionsChanged' ? event.value.name : undefined
    return { eventId: id, announcementId: event.value.announcementId, name }
  })
  return [...new Map(subjects.map((subject) => [keyOf(subject), subject])).values()]
}

const isReaction = (subject: Subject): subject is Subject & ReactionName => subject.name !== undefined

/** The live messages of changed announcements, from the current rows. */
const liveMessages =
  ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }) =>
  async (subjects: readonly Subject[]): Promise<Uint8Array[]> => {
    const ids = [...new Set(subjects.map(({ announcementId }) => announcementId))]
    const rows = await readShown(database, { ids, now: new Date(clock.now()) })
    const shown = new Map(rows.map((row) => [row.id, row]))
    const reactions = subjects.filter(isReaction).filter(({ announcementId }) => shown.has(announcementId))
    const announcementIds = reactions.map(({ announcementId }) => announcementId)
    const counts = await readCounts(database, { announcementIds, names: reactions.map(({ name }) => name) })
    const countOf = new Map(counts.map((count) => [keyOf(count), count]))
    const announced = subjects.filter(({ name }) => name === undefined)
    return [
      ...announced.map(({ eventId, announcementId }) => {
        const row = shown.get(announcementId)
        return row ? liveAnnouncement(announcementMessage(row), eventId) : liveAnnouncementDeletion(announcementId, eventId)
      }),
      ...reactions.map(({ eventId, announcementId, name }) => {
        const count = countOf.get(keyOf({ announcementId, name })) ?? { name, count: 0, mine: false, emoji: null }
        return liveAnnouncementReaction(announcementId, reactionMessage(count), eventId)
      }),
    ]
  }

/**
 * Publishes changes of announcements to everyone's open streams (beyond-the-spec 1.7): one live message per announcement and per emoji of one,
 * however many events of it a batch has and however many people are connected.
 */
export const publishAnnouncements = (deps: { database: Database<StatusesTables>; publishLive: PublishLive; clock: Clock }) => {
  const messagesOf = liveMessages(deps)
  return consumer<StatusesTables, Kind>({
    name: 'statuses.announcements',
    topic: 'statuses.v1',
    kinds: KINDS,
    handle: async () => {},
    publishAfter: (received) => deps.publishLive((connected) => (connected.length > 0 ? messagesOf(subjectsOf(received)) : [])),
  })
}
