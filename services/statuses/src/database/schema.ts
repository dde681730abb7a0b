import type { MigrationSet } from '@rookery/database'
import type { EventTables } from '@rookery/events'
import * as m0001 from './migrations/0001-people-and-statuses.ts'
import * as m0002 from './migrations/0002-edits-and-pins.ts'
import * as m0003 from './migrations/0003-conversations.ts'
import * as m0004 from './migrations/0004-search.ts'
import * as m0005 from './migrations/0005-polls.ts'
import * as m0006 from './migrations/0006-emojis.ts'
import * as m0007 from './migrations/0007-emojis-of-texts.ts'
import * as m0008 from './migrations/0008-lists-and-tags.ts'
import * as m0010 from './migrations/0010-feeds.ts'
import * as m0011 from './migrations/0011-scheduled.ts'
import * as m0012 from './migrations/0012-cards.ts'
import * as m0013 from './migrations/0013-threads.ts'
import * as m0014 from './migrations/0014-filters.ts'
import * as m0015 from './migrations/0015-account-life.ts'
import * as m0016 from './migrations/0016-graph.ts'
import * as m0017 from './migrations/0017-profiles.ts'
import * as m0018 from './migrations/0018-reports.ts'
import * as m0021 from './migrations/0021-standing-and-locale.ts'
import * as m0022 from './migrations/0022-featured-tags.ts'
import * as m0023 from './migrations/0023-finding.ts'
import * as m0024 from './migrations/0024-told-of-posts.ts'
import * as m0025 from './migrations/0025-moved-and-remembered.ts'
import * as m0026 from './migrations/0026-parts-of-profiles.ts'
import * as m0027 from './migrations/0027-cards-of-many.ts'
import * as m0028 from './migrations/0028-tag-ids.ts'
import * as m0029 from './migrations/0029-ids-of-known-tags.ts'
import * as m0030 from './migrations/0030-posting-order.ts'
import * as m0031 from './migrations/0031-missed-times.ts'
import * as m0032 from './migrations/0032-scheduled-of-account.ts'
import * as m0033 from './migrations/0033-boosts-of-a-status.ts'
import type { AccountTable } from './tables/account.ts'
import type { PreviewCardTable, StatusCardTable } from './tables/card.ts'
import type { ConversationStatusTable, ConversationTable } from './tables/conversation.ts'
import type { DomainBlockTable } from './tables/domain-block.ts'
import type { StatusRevisionTable } from './tables/edit.ts'
import type { CustomEmojiTable } from './tables/emoji.ts'
import type { FeaturedTagTable } from './tables/featured-tag.ts'
import type { FeedTable, HomeTable } from './tables/feed.ts'
import type { FilterKeywordTable, FilterStatusTable, FilterTable } from './tables/filter.ts'
import type { AccountNoteTable, BlockTable, EndorsementTable, FollowTable, MuteTable } from './tables/graph.ts'
import type { InteractionTable } from './tables/interaction.ts'
import type { ListMemberTable, ListTable } from './tables/list.ts'
import type { AccountAliasTable } from './tables/move.ts'
import type { PinTable } from './tables/pin.ts'
import type { PollTable, PollVoteTable } from './tables/poll.ts'
import type { ReportTable } from './tables/report.ts'
import type { ReservedUsernameTable } from './tables/reserved-username.ts'
import type { ScheduledStatusTable } from './tables/scheduled.ts'
import type { IdempotencyKeyTable, MentionTable, StatusHeadTable, StatusTable, StatusTagTable, TagTable } from './tables/status.ts'
import type { StaffPickTable, SuggestionDismissalTable } from './tables/suggestion.ts'
import type { TagFollowTable } from './tables/tag.ts'
import type { ThreadMuteTable } from './tables/thread.ts'

/** Every table of the schema `statuses`. */
export type StatusesTables = EventTables & {
  account: AccountTable
  accountAlias: AccountAliasTable
  reservedUsername: ReservedUsernameTable
  statusHead: StatusHeadTable
  status: StatusTable
  mention: MentionTable
  tag: TagTable
  statusTag: StatusTagTable
  favourite: InteractionTable
  bookmark: InteractionTable
  follow: FollowTable
  followRequest: FollowTable
  block: BlockTable
  mute: MuteTable
  accountNote: AccountNoteTable
  endorsement: EndorsementTable
  domainBlock: DomainBlockTable
  staffPick: StaffPickTable
  suggestionDismissal: SuggestionDismissalTable
  feed: FeedTable
  home: HomeTable
  idempotencyKey: IdempotencyKeyTable
  conversation: ConversationTable
  conversationStatus: ConversationStatusTable
  statusRevision: StatusRevisionTable
  pin: PinTable
  customEmoji: CustomEmojiTable
  poll: PollTable
  pollVote: PollVoteTable
  filter: FilterTable
  filterKeyword: FilterKeywordTable
  filterStatus: FilterStatusTable
  scheduledStatus: ScheduledStatusTable
  list: ListTable
  listMember: ListMemberTable
  tagFollow: TagFollowTable
  previewCard: PreviewCardTable
  statusCard: StatusCardTable
  featuredTag: FeaturedTagTable
  threadMute: ThreadMuteTable
  report: ReportTable
}

export const migrations: MigrationSet = {
  name: 'statuses',
  steps: {
    '0001-people-and-statuses': m0001,
    '0002-edits-and-pins': m0002,
    '0003-conversations': m0003,
    '0004-search': m0004,
    '0005-polls': m0005,
    '0006-emojis': m0006,
    '0007-emojis-of-texts': m0007,
    '0008-lists-and-tags': m0008,
    '0010-feeds': m0010,
    '0011-scheduled': m0011,
    '0012-cards': m0012,
    '0013-threads': m0013,
    '0014-filters': m0014,
    '0015-account-life': m0015,
    '0016-graph': m0016,
    '0017-profiles': m0017,
    '0018-reports': m0018,
    '0021-standing-and-locale': m0021,
    '0022-featured-tags': m0022,
    '0023-finding': m0023,
    '0024-told-of-posts': m0024,
    '0025-moved-and-remembered': m0025,
    '0026-parts-of-profiles': m0026,
    '0027-cards-of-many': m0027,
    '0028-tag-ids': m0028,
    '0029-ids-of-known-tags': m0029,
    '0030-posting-order': m0030,
    '0031-missed-times': m0031,
    '0032-scheduled-of-account': m0032,
    '0033-boosts-of-a-status': m0033,
  },
}
