import { oneAtATime } from '@rookery/batching'
import { cachePool } from '@rookery/cache'
import type { AttachmentsDefinition, RemoteFilesDefinition } from '@rookery/contracts/media'
import type { Database } from '@rookery/database'
import { type LiveChannel, livePublisher, type Presence, type PublishLive } from '@rookery/ephemeral'
import type { Consumer, Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import type { Job } from '@rookery/jobs'
import type { Client, Handler } from '@rookery/rpc'
import { backlogRpc, type Clock, cacheMetrics, type Logger, type ServiceModule, type ServiceSchema } from '@rookery/runtime'
import { guardedFetch, type MayConnect, type Resolve } from '@rookery/ssrf-safe-fetch'
import type { StatusesConfig } from './config.ts'
import { attachmentClaims, attachmentReleases, remoteFileAddresses } from './content/attachments/index.ts'
import { bumpCardStatusesJob } from './content/cards/bump-card-statuses.job.ts'
import { fetchCardJob } from './content/cards/fetch-card.job.ts'
import { linkFollower } from './content/cards/index.ts'
import { refreshCardsJob } from './content/cards/refresh-cards.job.ts'
import { showLinks } from './content/cards/show-links.consumer.ts'
import { createEmojiOperatorRpc, createEmojisRpc, createStaffEmojisRpc } from './content/emojis/emojis.rpc.ts'
import { emojiFinder } from './content/emojis/index.ts'
import { mentionFinder } from './content/text/index.ts'
import { migrations } from './database/migrations/index.ts'
import type { StatusesTables } from './database/schema.ts'
import { createDirectoryRpc } from './discovery/directory/directory.rpc.ts'
import { createFeaturedTagsRpc } from './discovery/featured-tags/featured-tags.rpc.ts'
import { createFiguresRpc } from './discovery/figures/figures.rpc.ts'
import { createMeasuresRpc } from './discovery/measures/measures.rpc.ts'
import { createSearchRpc } from './discovery/search/search.rpc.ts'
import { createSuggestionOperatorRpc, createSuggestionsRpc } from './discovery/suggestions/suggestions.rpc.ts'
import { markUsesOfStatuses } from './discovery/trends/mark-uses.consumer.ts'
import { createTrendOperatorRpc, createTrendsRpc } from './discovery/trends/trends.rpc.ts'
import { updateTrendsJob } from './discovery/trends/update-trends.job.ts'
import { createModerationRpc } from './moderation/accounts/moderation.rpc.ts'
import { publishSuspendedJob } from './moderation/accounts/publish-suspended.job.ts'
import { forgetReportedStatusesJob } from './moderation/reports/forget-reported-statuses.job.ts'
import { countOpenReports, readReports } from './moderation/reports/index.ts'
import { createReportOperatorRpc, createReportsRpc, createStaffReportsRpc } from './moderation/reports/reports.rpc.ts'
import { createStaffStatusesRpc } from './moderation/statuses/staff-statuses.rpc.ts'
import { createAccountLifecycleRpc } from './people/account-lifecycle/account-lifecycle.rpc.ts'
import { removeClosedAccountsJob, removeEmptiedAccountJob } from './people/account-lifecycle/remove-closed-accounts.job.ts'
import { moveFollowersJob } from './people/account-migration/move-followers.job.ts'
import { createAccountMigrationRpc } from './people/account-migration/moves.rpc.ts'
import { createAccountsRpc } from './people/accounts/accounts.rpc.ts'
import { verifyLinkJob } from './people/accounts/verify-link.job.ts'
import { createDataExportRpc } from './people/data-export/data-export.rpc.ts'
import { cutDomainJob } from './people/domain-blocks/cut-domain.job.ts'
import { createDomainBlocksRpc } from './people/domain-blocks/domain-blocks.rpc.ts'
import { acceptRequestsJob } from './people/graph/accept-requests.job.ts'
import { endMutesJob } from './people/graph/end-mutes.job.ts'
import { createGraphRpc } from './people/graph/graph.rpc.ts'
import { createListsRpc } from './people/lists/lists.rpc.ts'
import { createOutgoingRpc } from './people/outgoing/outgoing.rpc.ts'
import { limitDomainJob } from './people/remote-accounts/limit-domain.job.ts'
import { createRemoteAccountsRpc } from './people/remote-accounts/remote-accounts.rpc.ts'
import { notifyOfSignUps } from './people/sign-ups/notify-of-sign-ups.consumer.ts'
import {
  createAnnouncementOperatorRpc,
  createAnnouncementsRpc,
  createStaffAnnouncementsRpc,
} from './posts/announcements/announcements.rpc.ts'
import { applyScheduleJob } from './posts/announcements/apply-schedule.job.ts'
import { publishAnnouncements } from './posts/announcements/publish-announcements.consumer.ts'
import { createAutomaticDeletionRpc } from './posts/automatic-deletion/automatic-deletion.rpc.ts'
import { deleteOldStatusesJob } from './posts/automatic-deletion/delete-old-statuses.job.ts'
import { createEditsRpc } from './posts/editing/edits.rpc.ts'
import { createInteractionsRpc } from './posts/interactions/interactions.rpc.ts'
import { createPinsRpc } from './posts/pins/pins.rpc.ts'
import { announceCountJob } from './posts/polls/announce-count.job.ts'
import { closePollJob } from './posts/polls/close-poll.job.ts'
import { createPollsRpc } from './posts/polls/polls.rpc.ts'
import { scheduleEnds } from './posts/polls/schedule-ends.consumer.ts'
import { createQuotesRpc } from './posts/quotes/quotes.rpc.ts'
import { forgetAwaitedParentsJob } from './posts/remote-statuses/forget-awaited-parents.job.ts'
import { createRemoteStatusesRpc } from './posts/remote-statuses/remote-statuses.rpc.ts'
import { removeUnreferencedJob } from './posts/remote-statuses/remove-unreferenced.job.ts'
import { describeScheduled } from './posts/scheduled/describe-scheduled.consumer.ts'
import { publishOverdueJob } from './posts/scheduled/publish-overdue.job.ts'
import { publishScheduledJob } from './posts/scheduled/publish-scheduled.job.ts'
import { createScheduledRpc } from './posts/scheduled/scheduled.rpc.ts'
import { attachmentDescribed } from './posts/statuses/attachment-described.consumer.ts'
import { forgetIdempotencyKeysJob } from './posts/statuses/forget-idempotency-keys.job.ts'
import { markFindableJob, markMissedJob } from './posts/statuses/mark-findable.job.ts'
import { createStatusesRpc } from './posts/statuses/statuses.rpc.ts'
import { createThreadsRpc } from './posts/threads/threads.rpc.ts'
import { translatorOf } from './posts/translation/index.ts'
import { createTranslationRpc } from './posts/translation/translation.rpc.ts'
import { keepConversations } from './timelines/conversations/conversations.consumer.ts'
import { createConversationsRpc } from './timelines/conversations/conversations.rpc.ts'
import { buildHomeJob } from './timelines/feeds/build-home.job.ts'
import { compareHomesJob, type FeedCounts } from './timelines/feeds/compare-homes.job.ts'
import { editedFeeds } from './timelines/feeds/edited-feeds.consumer.ts'
import { evictInactiveFeedsJob } from './timelines/feeds/evict-inactive-feeds.job.ts'
import { fanOut } from './timelines/feeds/fan-out.consumer.ts'
import { createFeedOperatorRpc } from './timelines/feeds/feeds.rpc.ts'
import { followFeeds } from './timelines/feeds/follow-feeds.consumer.ts'
import { feedMetrics } from './timelines/feeds/index.ts'
import { notifyFollowers } from './timelines/feeds/notify-followers.consumer.ts'
import { notifyOfEdits } from './timelines/feeds/notify-of-edits.consumer.ts'
import { pullAuthorJob } from './timelines/feeds/pull-author.job.ts'
import { createTimelinesRpc } from './timelines/feeds/timelines.rpc.ts'
import { createFiltersRpc } from './timelines/filters/filters.rpc.ts'
import { publishFilters } from './timelines/filters/publish-filters.consumer.ts'
import { gatherThreadJob, linkRepliesJob } from './timelines/late-parents/link-replies.job.ts'
import { createTagsRpc } from './timelines/tags/tags.rpc.ts'
import { createViews } from './views/index.ts'
import { createViewsRpc } from './views/views.rpc.ts'

export { readStatusesConfig, type StatusesConfig } from './config.ts'
export type { StatusesTables } from './database/schema.ts'
export { admitServerAddress } from './people/server-address/index.ts'

/** Dependencies of the module. */
export type StatusesDeps = {
  database: Database<StatusesTables>
  outbox: Outbox
  live: LiveChannel
  presence: Presence
  media: { attachments: Client<typeof AttachmentsDefinition>; remoteFiles: Client<typeof RemoteFilesDefinition> }
  /** Whether the fetcher may connect to a host; by default to hosts of the public internet only. */
  mayConnect?: MayConnect
  /** DNS resolver of the fetcher. */
  resolve?: Resolve
  clock: Clock
  ids: Ids
  log: Logger
  config: StatusesConfig
}

export const schema: ServiceSchema = { name: 'statuses', migrations }

/** Collaborators that slices share: stores, clients, and what is built on them. */
const sharedBy = (deps: StatusesDeps) => {
  const { database, outbox, clock, ids, config } = deps
  const pool = cachePool({ maxBytes: config.cacheBytes })
  return {
    ...deps.media,
    database,
    views: createViews({ database, clock, pool }),
    claims: attachmentClaims(deps.media.attachments),
    releases: attachmentReleases(deps.media.attachments),
    outbox,
    ids,
    clock,
    addressRemoteFiles: remoteFileAddresses(deps.media.remoteFiles),
    findMentions: mentionFinder({ database, domain: new URL(config.baseUrl).host }),
    findEmojis: emojiFinder({ database }),
    followLink: linkFollower({ clock, baseUrl: config.baseUrl, hasCards: config.hasCards }),
    fetchGuarded: guardedFetch({
      baseUrl: config.baseUrl,
      ...(deps.mayConnect && { mayConnect: deps.mayConnect }),
      ...(deps.resolve && { resolve: deps.resolve }),
    }),
    inPostingOrder: oneAtATime<string>(),
    baseUrl: config.baseUrl,
    pool,
    config,
  }
}

type Shared = ReturnType<typeof sharedBy>

/** Calls about accounts and their relationships. */
const peopleRpc = (shared: Shared, deps: StatusesDeps): Handler[] => [
  createAccountsRpc(shared),
  createAccountLifecycleRpc(deps),
  createGraphRpc(shared),
  createDomainBlocksRpc(shared),
  createRemoteAccountsRpc(shared),
  createListsRpc(shared),
  createAccountMigrationRpc(shared),
  createDataExportRpc(shared),
]

/** Calls about posts and interactions with them. */
const postsRpc = (shared: Shared): Handler[] => [
  createStatusesRpc(shared),
  createRemoteStatusesRpc(shared),
  createOutgoingRpc(shared),
  createInteractionsRpc(shared),
  createEditsRpc(shared),
  createPinsRpc(shared),
  createAutomaticDeletionRpc(shared),
  createQuotesRpc(shared),
  createPollsRpc(shared),
  createThreadsRpc(shared),
  createTranslationRpc({ ...shared, translator: translatorOf(shared.config.translation) }),
  createScheduledRpc(shared),
  createEmojisRpc(shared),
  createAnnouncementsRpc(shared),
  createViewsRpc({ ...shared, readReports: readReports(shared) }),
]

/** Calls about timelines and discovery. */
const timelinesRpc = (shared: Shared, deps: StatusesDeps): Handler[] => [
  createTimelinesRpc(shared),
  createConversationsRpc({ ...deps, views: shared.views }),
  createTagsRpc(shared),
  createFiltersRpc({ ...deps, views: shared.views }),
  createFeaturedTagsRpc(shared),
  createSearchRpc(shared),
  createDirectoryRpc(shared),
  createSuggestionsRpc(shared),
  createTrendsRpc(shared),
  createFiguresRpc(shared),
]

/** Staff calls. */
const staffRpc = (shared: Shared, deps: StatusesDeps): Handler[] => [
  createReportsRpc(shared),
  createStaffReportsRpc(shared),
  createStaffEmojisRpc(shared),
  createStaffAnnouncementsRpc(shared),
  createModerationRpc(shared),
  createStaffStatusesRpc(shared),
  createMeasuresRpc(shared),
  backlogRpc({ ...deps, service: 'statuses' }, { forStaff: () => countOpenReports(deps.database) }),
]

const operatorRpc = (shared: Shared, deps: StatusesDeps): Handler[] => [
  createEmojiOperatorRpc(shared),
  createFeedOperatorRpc(deps),
  createSuggestionOperatorRpc(shared),
  createReportOperatorRpc(shared),
  createAnnouncementOperatorRpc(shared),
  createTrendOperatorRpc(shared),
]

const consumersOf = (deps: StatusesDeps & { publishLive: PublishLive }): Consumer[] => [
  fanOut(deps),
  followFeeds(deps),
  editedFeeds(deps),
  notifyFollowers(deps),
  attachmentDescribed(),
  keepConversations(deps),
  notifyOfEdits(deps),
  publishFilters(deps),
  publishAnnouncements(deps),
  scheduleEnds(),
  describeScheduled(),
  showLinks(deps),
  notifyOfSignUps(deps),
  markUsesOfStatuses(),
]

const jobsOf = (shared: Shared, deps: StatusesDeps, feedCounts: FeedCounts): Job[] => [
  endMutesJob(deps),
  removeClosedAccountsJob(deps),
  removeEmptiedAccountJob(deps),
  publishSuspendedJob(deps),
  acceptRequestsJob(deps),
  moveFollowersJob(deps),
  limitDomainJob(deps),
  cutDomainJob(deps),
  forgetIdempotencyKeysJob(deps),
  forgetReportedStatusesJob(deps),
  removeUnreferencedJob(deps),
  forgetAwaitedParentsJob(deps),
  linkRepliesJob(deps),
  gatherThreadJob(deps),
  deleteOldStatusesJob(shared),
  markFindableJob(deps),
  markMissedJob(deps),
  closePollJob(deps),
  announceCountJob(deps),
  applyScheduleJob(deps),
  buildHomeJob(deps),
  evictInactiveFeedsJob(deps),
  compareHomesJob(deps, feedCounts),
  pullAuthorJob(deps),
  publishScheduledJob(shared),
  publishOverdueJob(shared),
  fetchCardJob(shared),
  bumpCardStatusesJob(deps),
  verifyLinkJob(shared),
  refreshCardsJob(deps),
  updateTrendsJob(deps),
]

/** Creates the statuses module: accounts, the graph, statuses and timelines. */
export const createStatuses = (deps: StatusesDeps): ServiceModule => {
  const shared = sharedBy(deps)
  const feedCounts = { compared: 0, missing: 0, unwanted: 0 }
  return {
    rpc: [...peopleRpc(shared, deps), ...postsRpc(shared), ...timelinesRpc(shared, deps), ...staffRpc(shared, deps)],
    metrics: [...feedMetrics(feedCounts), ...cacheMetrics(shared.pool)],
    operator: operatorRpc(shared, deps),
    consumers: consumersOf({ ...deps, publishLive: livePublisher(deps) }),
    jobs: jobsOf(shared, deps, feedCounts),
  }
}
