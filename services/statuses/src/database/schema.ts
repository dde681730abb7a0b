import type { EventTables } from '@rookery/events'
import type { AccountTable } from './tables/account.ts'
import type {
  AnnouncementDismissalTable,
  AnnouncementReactionCountTable,
  AnnouncementReactionTable,
  AnnouncementTable,
} from './tables/announcement.ts'
import type { AwaitedParentTable } from './tables/awaited-parent.ts'
import type { PreviewCardTable, StatusCardTable } from './tables/card.ts'
import type { ConversationStatusTable, ConversationTable } from './tables/conversation.ts'
import type { DeletionPolicyTable } from './tables/deletion-policy.ts'
import type { DomainBlockTable, DomainLimitTable } from './tables/domain-block.ts'
import type { StatusRevisionTable } from './tables/edit.ts'
import type { CustomEmojiTable, RemoteEmojiTable } from './tables/emoji.ts'
import type { FeaturedTagTable } from './tables/featured-tag.ts'
import type { FeedTable, HomeTable, PulledAuthorTable } from './tables/feed.ts'
import type { FilterKeywordTable, FilterStatusTable, FilterTable } from './tables/filter.ts'
import type { AccountNoteTable, BlockTable, EndorsementTable, FollowRequestTable, FollowTable, MuteTable } from './tables/graph.ts'
import type { InteractionTable } from './tables/interaction.ts'
import type { ListMemberTable, ListTable } from './tables/list.ts'
import type { AccountAliasTable } from './tables/move.ts'
import type { PinTable } from './tables/pin.ts'
import type { PollTable, PollVoteTable } from './tables/poll.ts'
import type { RemovedUriTable } from './tables/removed-uri.ts'
import type { ReportedStatusTable, ReportTable, StatusCopyTable } from './tables/report.ts'
import type { ReservedUsernameTable } from './tables/reserved-username.ts'
import type { ScheduledStatusTable } from './tables/scheduled.ts'
import type { ServerAddressTable } from './tables/server-address.ts'
import type {
  IdempotencyKeyTable,
  MentionTable,
  QuoteTable,
  StatusHeadTable,
  StatusTable,
  StatusTagTable,
  TagTable,
} from './tables/status.ts'
import type { StaffPickTable, SuggestionDismissalTable } from './tables/suggestion.ts'
import type { TagFollowTable } from './tables/tag.ts'
import type { ThreadMuteTable } from './tables/thread.ts'
import type {
  FavouriteDayTable,
  PendingUseTable,
  PublisherTable,
  StatusTrendTable,
  TrendDayTable,
  TrendProgressTable,
  TrendTable,
  TrendUseTable,
} from './tables/trend.ts'

import type { UnreferencedSearchTable, UnreferencedStatusTable } from './tables/unreferenced-status.ts'

/** Every table of the schema `statuses`. */
export type StatusesTables = EventTables & {
  account: AccountTable
  accountAlias: AccountAliasTable
  reservedUsername: ReservedUsernameTable
  statusHead: StatusHeadTable
  status: StatusTable
  mention: MentionTable
  quote: QuoteTable
  deletionPolicy: DeletionPolicyTable
  unreferencedStatus: UnreferencedStatusTable
  unreferencedSearch: UnreferencedSearchTable
  awaitedParent: AwaitedParentTable
  tag: TagTable
  statusTag: StatusTagTable
  favourite: InteractionTable
  favouriteDay: FavouriteDayTable
  bookmark: InteractionTable
  follow: FollowTable
  followRequest: FollowRequestTable
  block: BlockTable
  mute: MuteTable
  accountNote: AccountNoteTable
  endorsement: EndorsementTable
  domainBlock: DomainBlockTable
  domainLimit: DomainLimitTable
  staffPick: StaffPickTable
  suggestionDismissal: SuggestionDismissalTable
  feed: FeedTable
  home: HomeTable
  pulledAuthor: PulledAuthorTable
  idempotencyKey: IdempotencyKeyTable
  conversation: ConversationTable
  conversationStatus: ConversationStatusTable
  statusRevision: StatusRevisionTable
  pin: PinTable
  customEmoji: CustomEmojiTable
  remoteEmoji: RemoteEmojiTable
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
  reportedStatus: ReportedStatusTable
  statusCopy: StatusCopyTable
  removedUri: RemovedUriTable
  serverAddress: ServerAddressTable
  announcement: AnnouncementTable
  announcementDismissal: AnnouncementDismissalTable
  announcementReaction: AnnouncementReactionTable
  announcementReactionCount: AnnouncementReactionCountTable
  pendingUse: PendingUseTable
  trendUse: TrendUseTable
  trendDay: TrendDayTable
  trend: TrendTable
  publisher: PublisherTable
  statusTrend: StatusTrendTable
  trendProgress: TrendProgressTable
}
