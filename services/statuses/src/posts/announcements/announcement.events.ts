import { LiveMessage } from '@rookery/contracts/events'
import type { Announcement, AnnouncementReaction } from '@rookery/contracts/statuses'
import type { OutboxEvent } from '@rookery/events'

/** Everyone sees an announcement from now on. */
export const announcementPublished = (announcementId: string): OutboxEvent => ({
  key: announcementId,
  event: { $case: 'announcementPublished', value: { announcementId } },
})

/** What a published announcement shows changed. */
export const announcementChanged = (announcementId: string): OutboxEvent => ({
  key: announcementId,
  event: { $case: 'announcementChanged', value: { announcementId } },
})

/** No one sees an announcement any more that was published. */
export const announcementWithdrawn = (announcementId: string): OutboxEvent => ({
  key: announcementId,
  event: { $case: 'announcementWithdrawn', value: { announcementId } },
})

/** The reactions to an announcement with one emoji are more or fewer. */
export const announcementReactionsChanged = (announcementId: string, name: string): OutboxEvent => ({
  key: announcementId,
  event: { $case: 'announcementReactionsChanged', value: { announcementId, name } },
})

/** The live message of an announcement as everyone sees it, encoded. */
export const liveAnnouncement = (announcement: Announcement, eventId: string): Uint8Array =>
  LiveMessage.encode({ eventId, event: { $case: 'announcement', value: { announcement } } }).finish()

/** The live message of an announcement that no one sees any more, encoded. */
export const liveAnnouncementDeletion = (announcementId: string, eventId: string): Uint8Array =>
  LiveMessage.encode({ eventId, event: { $case: 'announcementDeletion', value: { announcementId } } }).finish()

/** The live message of how many reacted with one emoji, encoded. */
export const liveAnnouncementReaction = (announcementId: string, reaction: AnnouncementReaction, eventId: string): Uint8Array =>
  LiveMessage.encode({ eventId, event: { $case: 'announcementReaction', value: { announcementId, reaction } } }).finish()

/** Staff or an operator did something to an announcement. */
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
