import type { Announcement, AnnouncementReaction } from '@rookery/contracts/statuses'
import type { Addresses } from './addresses.ts'
import { customEmojiEntity } from './custom-emoji.ts'
import { mentionEntity } from './mention.ts'
import { timestamp } from './timestamp.ts'

const addressesOf = ({ emoji }: AnnouncementReaction) => (emoji ? { url: emoji.url, static_url: emoji.staticUrl } : {})

const momentOf = (milliseconds: number | undefined) => (milliseconds === undefined ? null : timestamp(milliseconds))

/** Announcement (spec, Resources): `read` only for a viewer; statuses as id and URL. */
export const announcementEntity = (announcement: Announcement, urls: Addresses) => ({
  id: announcement.id,
  content: announcement.content,
  starts_at: momentOf(announcement.startsAtMilliseconds),
  ends_at: momentOf(announcement.endsAtMilliseconds),
  all_day: announcement.allDay,
  published_at: timestamp(announcement.publishedAtMilliseconds),
  updated_at: timestamp(announcement.updatedAtMilliseconds),
  ...(announcement.isRead === undefined ? {} : { read: announcement.isRead }),
  mentions: announcement.mentions.map((mention) => mentionEntity(mention, urls)),
  statuses: announcement.statuses.map(({ id, username }) => ({ id, url: urls.status(username, id) })),
  tags: announcement.tags.map(({ name }) => ({ name, url: urls.tag(name) })),
  emojis: announcement.emojis.map(customEmojiEntity),
  reactions: announcement.reactions.map((reaction) => ({
    name: reaction.name,
    count: reaction.count,
    me: reaction.isOwn,
    ...addressesOf(reaction),
  })),
})

/** The payload of `announcement.reaction` (spec, Event types; beyond-the-spec 1.7). */
export const announcementReactionEntity = (announcementId: string, reaction: AnnouncementReaction) => ({
  name: reaction.name,
  count: reaction.count,
  ...addressesOf(reaction),
  announcement_id: announcementId,
})
