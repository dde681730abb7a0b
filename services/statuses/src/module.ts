import { cachePool } from '@rookery/cache'
import { oneAtATime } from '@rookery/coalesce'
import type { AttachmentsDefinition } from '@rookery/contracts/media'
import type { Database } from '@rookery/database'
import { announcer, type LiveChannel, type Presence } from '@rookery/ephemeral'
import type { Outbox } from '@rookery/events'
import { guardedFetch, type MayConnect } from '@rookery/guarded-fetch'
import type { Ids } from '@rookery/ids'
import type { Client } from '@rookery/rpc'
import { type Clock, cacheMetrics, type Logger, type ServiceModule, type ServiceStorage } from '@rookery/runtime'
import { createAccountLifeRpc } from './account-life/account-life.rpc.ts'
import { removeClosedAccountsJob } from './account-life/remove-closed-accounts.job.ts'
import { createAccountsRpc } from './accounts/accounts.rpc.ts'
import { verifyLinkJob } from './accounts/verify-link.job.ts'
import { fetchCardJob } from './cards/fetch-card.job.ts'
import { linkFollower } from './cards/index.ts'
import { raiseShownJob } from './cards/raise-shown.job.ts'
import { showLinks } from './cards/show-links.consumer.ts'
import { tendCardsJob } from './cards/tend-cards.job.ts'
import type { StatusesConfig } from './config.ts'
import { keepConversations } from './conversations/conversations.consumer.ts'
import { createConversationsRpc } from './conversations/conversations.rpc.ts'
import { migrations, type StatusesTables } from './database/schema.ts'
import { createDirectoryRpc } from './directory/directory.rpc.ts'
import { createDomainBlocksRpc } from './domain-blocks/domain-blocks.rpc.ts'
import { announceEdits } from './editing/announce-edits.consumer.ts'
import { createEditsRpc } from './editing/edits.rpc.ts'
import { createEmojiOperatorRpc, createEmojisRpc } from './emojis/emojis.rpc.ts'
import { emojiFinder } from './emojis/index.ts'
import { createFeaturedTagsRpc } from './featured-tags/featured-tags.rpc.ts'
import { createFiguresRpc } from './figures/figures.rpc.ts'
import { announceFilters } from './filters/announce-filters.consumer.ts'
import { createFiltersRpc } from './filters/filters.rpc.ts'
import { acceptRequestsJob } from './graph/accept-requests.job.ts'
import { endMutesJob } from './graph/end-mutes.job.ts'
import { createGraphRpc } from './graph/graph.rpc.ts'
import { createInteractionsRpc } from './interactions/interactions.rpc.ts'
import { createListsRpc } from './lists/lists.rpc.ts'
import { moveFollowersJob } from './moves/move-followers.job.ts'
import { createMovesRpc } from './moves/moves.rpc.ts'
import { createPinsRpc } from './pins/pins.rpc.ts'
import { closePollJob } from './polls/close-poll.job.ts'
import { createPollsRpc } from './polls/polls.rpc.ts'
import { scheduleEnds } from './polls/schedule-ends.consumer.ts'
import { createPortabilityRpc } from './portability/portability.rpc.ts'
import { readReports } from './reports/index.ts'
import { createReportOperatorRpc, createReportsRpc } from './reports/reports.rpc.ts'
import { describeScheduled } from './scheduled/describe-scheduled.consumer.ts'
import { publishOverdueJob } from './scheduled/publish-overdue.job.ts'
import { publishScheduledJob } from './scheduled/publish-scheduled.job.ts'
import { createScheduledRpc } from './scheduled/scheduled.rpc.ts'
import { createSearchRpc } from './search/search.rpc.ts'
import { notifyOfSignUps } from './sign-ups/notify-of-sign-ups.consumer.ts'
import { attachmentDescribed } from './statuses/attachment-described.consumer.ts'
import { forgetKeysJob } from './statuses/forget-keys.job.ts'
import { attachmentClaims, attachmentReleases } from './statuses/index.ts'
import { createStatusesRpc } from './statuses/statuses.rpc.ts'
import { createSuggestionOperatorRpc, createSuggestionsRpc } from './suggestions/suggestions.rpc.ts'
import { createTagsRpc } from './tags/tags.rpc.ts'
import { mentionFinder } from './text/index.ts'
import { createThreadsRpc } from './threads/threads.rpc.ts'
import { buildHomeJob } from './timelines/build-home.job.ts'
import { compareHomesJob } from './timelines/compare-homes.job.ts'
import { editedFeeds } from './timelines/edited-feeds.consumer.ts'
import { fanOut } from './timelines/fan-out.consumer.ts'
import { createFeedOperatorRpc } from './timelines/feeds.rpc.ts'
import { followFeeds } from './timelines/follow-feeds.consumer.ts'
import { feedFigures } from './timelines/index.ts'
import { restHomesJob } from './timelines/rest-homes.job.ts'
import { tellFollowers } from './timelines/tell-followers.consumer.ts'
import { createTimelinesRpc } from './timelines/timelines.rpc.ts'
import { translatorOf } from './translation/index.ts'
import { createTranslationRpc } from './translation/translation.rpc.ts'
import { createViews } from './views/index.ts'
import { createViewsRpc } from './views/views.rpc.ts'

export { readStatusesConfig, type StatusesConfig } from './config.ts'
export type { StatusesTables } from './database/schema.ts'

/** What people say, to whom, and who may see it. */
export type StatusesGiven = {
  database: Database<StatusesTables>
  outbox: Outbox
  live: LiveChannel
  presence: Presence
  media: { attachments: Client<typeof AttachmentsDefinition> }
  /** Where pages of others are asked for; hosts of the public internet unless a test says otherwise. */
  mayConnect?: MayConnect
  clock: Clock
  ids: Ids
  log: Logger
  config: StatusesConfig
}

export const storage: ServiceStorage = { name: 'statuses', migrations }

/** The module: accounts, the graph between them, their statuses, and the timelines they make. */
export const createStatuses = (given: StatusesGiven): ServiceModule => {
  const { database, outbox, clock, ids, config } = given
  const announce = announcer(given)
  const pool = cachePool({ maxBytes: config.cacheBytes })
  const views = createViews({ database, clock, pool })
  const claims = attachmentClaims(given.media.attachments)
  const releases = attachmentReleases(given.media.attachments)
  const findMentions = mentionFinder({ database, domain: new URL(config.baseUrl).host })
  const feedCounts = { compared: 0, missing: 0, unwanted: 0 }
  const shared = {
    ...given.media,
    database,
    views,
    claims,
    releases,
    outbox,
    ids,
    clock,
    findMentions,
    findEmojis: emojiFinder({ database }),
    followLink: linkFollower({ clock, baseUrl: config.baseUrl, hasCards: config.hasCards }),
    fetchGuarded: guardedFetch({ baseUrl: config.baseUrl, ...(given.mayConnect ? { mayConnect: given.mayConnect } : {}) }),
    inPostingOrder: oneAtATime<string>(),
    baseUrl: config.baseUrl,
    pool,
  }
  return {
    rpc: [
      createAccountsRpc(shared),
      createAccountLifeRpc(given),
      createGraphRpc(shared),
      createDomainBlocksRpc(shared),
      createDirectoryRpc(shared),
      createSuggestionsRpc(shared),
      createStatusesRpc(shared),
      createInteractionsRpc(shared),
      createEditsRpc(shared),
      createListsRpc(shared),
      createMovesRpc(shared),
      createPinsRpc(shared),
      createPollsRpc(shared),
      createPortabilityRpc(shared),
      createThreadsRpc(shared),
      createTranslationRpc({ ...shared, translator: translatorOf(config.translation) }),
      createTimelinesRpc(shared),
      createConversationsRpc({ ...given, views }),
      createTagsRpc(shared),
      createFeaturedTagsRpc(shared),
      createScheduledRpc(shared),
      createFiltersRpc({ ...given, views }),
      createSearchRpc(shared),
      createEmojisRpc(shared),
      createReportsRpc(shared),
      createViewsRpc({ ...shared, readReports: readReports(shared) }),
      createFiguresRpc(shared),
    ],
    figures: [...feedFigures(feedCounts), ...cacheMetrics(pool)],
    operator: [
      createEmojiOperatorRpc(shared),
      createFeedOperatorRpc(given),
      createSuggestionOperatorRpc(shared),
      createReportOperatorRpc(shared),
    ],
    consumers: [
      fanOut({ ...given, announce }),
      followFeeds({ ...given, announce }),
      editedFeeds(given),
      tellFollowers(given),
      attachmentDescribed(),
      keepConversations({ ...given, announce }),
      announceEdits({ ...given, announce }),
      announceFilters({ announce }),
      scheduleEnds(),
      describeScheduled(),
      showLinks(given),
      notifyOfSignUps(given),
    ],
    jobs: [
      endMutesJob(given),
      removeClosedAccountsJob(given),
      acceptRequestsJob(given),
      moveFollowersJob(given),
      forgetKeysJob(given),
      closePollJob(given),
      buildHomeJob(given),
      restHomesJob(given),
      compareHomesJob(given, feedCounts),
      publishScheduledJob(shared),
      publishOverdueJob(shared),
      fetchCardJob(shared),
      raiseShownJob(given),
      verifyLinkJob(shared),
      tendCardsJob(given),
    ],
  }
}
