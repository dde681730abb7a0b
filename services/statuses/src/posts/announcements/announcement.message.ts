import type { Announcement, AnnouncementReaction, AnnouncementRecord } from '@rookery/contracts/statuses'
import { emojiMessage } from '../../content/emojis/index.ts'
import { stateOf } from './announcement.rules.ts'
import type { AnnouncementRow, ReactionCount, ShownRow } from './announcement.store.ts'

const millisecondsOf = (moment: Date | null) => moment?.getTime()

/** The number of reactions with an emoji, and whether the viewer has reacted with it. */
export const reactionMessage = ({ name, count, mine, emoji }: ReactionCount): AnnouncementReaction => ({
  name,
  count,
  isOwn: mine,
  emoji: emoji ? emojiMessage(emoji) : undefined,
})

/** An announcement as a message, without the viewer's state. */
export const announcementMessage = (row: ShownRow): Announcement => ({
  id: row.id,
  content: row.content,
  startsAtMilliseconds: millisecondsOf(row.startsAt),
  endsAtMilliseconds: millisecondsOf(row.endsAt),
  allDay: row.allDay,
  publishedAtMilliseconds: row.publishedAt.getTime(),
  updatedAtMilliseconds: row.updatedAt.getTime(),
  isRead: undefined,
  mentions: row.mentions.map(({ id, username, origin }) => ({ accountId: id, username, origin: origin ?? undefined })),
  statuses: row.statuses,
  tags: row.tags.map((name) => ({ name })),
  emojis: row.emojis.map(emojiMessage),
  reactions: row.reactions.map(reactionMessage),
})

/** An announcement as a message for staff and operators. */
export const recordMessage = (row: AnnouncementRow, now: number): AnnouncementRecord => {
  const state = stateOf(row, now)
  return {
    id: row.id,
    text: row.text,
    state,
    startsAtMilliseconds: millisecondsOf(row.startsAt),
    endsAtMilliseconds: millisecondsOf(row.endsAt),
    allDay: row.allDay,
    publishAtMilliseconds: state === 'scheduled' ? millisecondsOf(row.publishAt) : undefined,
    publishedAtMilliseconds: state === 'published' ? millisecondsOf(row.publishedAt) : undefined,
    createdAtMilliseconds: row.createdAt.getTime(),
    updatedAtMilliseconds: row.updatedAt.getTime(),
  }
}
