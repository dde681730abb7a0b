import { LiveMessage } from '@rookery/contracts/events'
import type { Announcement, AnnouncementReaction } from '@rookery/contracts/statuses'
import type { OutboxEvent } from '@rookery/events'

/** An announcement was published. */
export const announcementPublished = (announcementId: string): OutboxEvent => ({
  key: announcementId,
  event: { $case: 'announcementPublished', value: { announcementId } },
})

/** The content of a published announcement changed. */
export const announcementChanged = (announcementId: string): OutboxEvent => ({
  key: announcementId,
  event: { $case: 'announcementChanged', value: { announcementId } },
})

/** A published announcement was withdrawn or deleted. */
export const announcementWithdrawn = (announcementId: string): OutboxEvent => ({
  key: announcementId,
  event: { $case: 'announcementWithdrawn', value: { announcementId } },
})

/** The number of reactions to an announcement with one emoji changed. */
export const announcementReactionsChanged = (announcementId: string, name: string): OutboxEvent => ({
  key: announcementId,
  event: { $case: 'announcementReactionsChanged', value: { announcementId, name } },
})

/** The encoded live message of an announcement, the same for every viewer. */
export const liveAnnouncement = (announcement: Announcement, eventId: string): Uint8Array =>
  LiveMessage.encode({ eventId, event: { $case: 'announcement', value: { announcement } } }).finish()

/** The encoded live message of a withdrawn announcement. */
export const liveAnnouncementDeletion = (announcementId: string, eventId: string): Uint8Array =>
  LiveMessage.encode({ eventId, event: { $case: 'announcementDeletion', value: { announcementId } } }).finish()

/** The encoded live message of the number of reactions with one emoji. */
export const liveAnnouncementReaction = (announcementId: string, reaction: AnnouncementReaction, eventId: string): Uint8Array =>
  LiveMessage.encode({ eventId, event: { $case: 'announcementReaction', value: { announcementId, reaction } } }).finish()

/** Staff or an operator acted on an announcement. */
export const announcementActed = (
  act: 'create' | 'change' | 'publish' | 'withdraw' | 'delete',
  staffId: string,
  announcement: { id: string; text: string },
): OutboxEvent[] => [
  {
    key: staffId || announcement.id,
    event: {
      $case: 'staffActed',
      value: { staffId, action: `${act}_announcement`, accountId: '', reportId: '', text: announcement.text, target: announcement.id },
    },
  },
]
