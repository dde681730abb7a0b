import type { AttachmentsDefinition } from '@rookery/contracts/media'
import type { Database } from '@rookery/database'
import type { LiveChannel, Presence } from '@rookery/ephemeral'
import type { Outbox } from '@rookery/events'
import { guardedFetch, type MayConnect } from '@rookery/guarded-fetch'
import type { Ids } from '@rookery/ids'
import type { Client } from '@rookery/rpc'
import type { Clock, ServiceModule, ServiceStorage } from '@rookery/runtime'
import { createAccountLifeRpc, removeClosedAccountsJob } from './account-life/index.ts'
import { createAccountsRpc, verifyLinkJob } from './accounts/index.ts'
import { fetchCardJob, linkFollower, raiseShownJob, showLinks, tendCardsJob } from './cards/index.ts'
import type { StatusesConfig } from './config.ts'
import { createConversationsRpc, keepConversations } from './conversations/index.ts'
import { migrations, type StatusesTables } from './database/schema.ts'
import { createDirectoryRpc } from './directory/index.ts'
import { createDomainBlocksRpc } from './domain-blocks/index.ts'
import { announceEdits, createEditsRpc } from './editing/index.ts'
import { createEmojiOperatorRpc, createEmojisRpc, emojiFinder } from './emojis/index.ts'
import { createFeaturedTagsRpc } from './featured-tags/index.ts'
import { createFiguresRpc } from './figures/index.ts'
import { createFiltersRpc } from './filters/index.ts'
import { acceptRequestsJob, createGraphRpc, endMutesJob } from './graph/index.ts'
import { createInteractionsRpc } from './interactions/index.ts'
import { createListsRpc } from './lists/index.ts'
import { createMovesRpc, moveFollowersJob } from './moves/index.ts'
import { createPinsRpc } from './pins/index.ts'
import { closePollJob, createPollsRpc, scheduleEnds } from './polls/index.ts'
import { createPortabilityRpc } from './portability/index.ts'
import { createReportOperatorRpc, createReportsRpc, readReports } from './reports/index.ts'
import { createScheduledRpc, describeScheduled, publishOverdueJob, publishScheduledJob } from './scheduled/index.ts'
import { createSearchRpc } from './search/index.ts'
import { attachmentClaims, attachmentDescribed, createStatusesRpc, forgetKeysJob } from './statuses/index.ts'
import { createSuggestionOperatorRpc, createSuggestionsRpc } from './suggestions/index.ts'
import { createTagsRpc } from './tags/index.ts'
import { mentionFinder } from './text/index.ts'
import { createThreadsRpc } from './threads/index.ts'
import {
  buildHomeJob,
  compareHomesJob,
  createFeedOperatorRpc,
  createTimelinesRpc,
  editedFeeds,
  fanOut,
  feedFigures,
  followFeeds,
  restHomesJob,
  tellFollowers,
} from './timelines/index.ts'
import { createTranslationRpc, translatorOf } from './translation/index.ts'
import { createViews, createViewsRpc } from './views/index.ts'

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
  config: StatusesConfig
}

export const storage: ServiceStorage = { name: 'statuses', migrations }

/** The module: accounts, the graph between them, their statuses, and the timelines they make. */
export const createStatuses = (given: StatusesGiven): ServiceModule => {
  const { database, outbox, clock, ids, config } = given
  const views = createViews({ database, clock, cacheEntries: config.cacheEntries })
  const claims = attachmentClaims(given.media.attachments)
  const findMentions = mentionFinder({ database, domain: new URL(config.baseUrl).host })
  const feedCounts = { compared: 0, missing: 0, unwanted: 0 }
  const shared = {
    ...given.media,
    database,
    views,
    claims,
    outbox,
    ids,
    clock,
    findMentions,
    findEmojis: emojiFinder({ database }),
    followLink: linkFollower({ clock, baseUrl: config.baseUrl, hasCards: config.hasCards }),
    fetchGuarded: guardedFetch({ baseUrl: config.baseUrl, ...(given.mayConnect ? { mayConnect: given.mayConnect } : {}) }),
    baseUrl: config.baseUrl,
    cacheEntries: config.cacheEntries,
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
    figures: [...feedFigures(feedCounts), ...views.figures],
    operator: [
      createEmojiOperatorRpc(shared),
      createFeedOperatorRpc(given),
      createSuggestionOperatorRpc(shared),
      createReportOperatorRpc(shared),
    ],
    consumers: [
      fanOut(given),
      followFeeds(given),
      editedFeeds(given),
      tellFollowers(given),
      attachmentDescribed(),
      keepConversations(given),
      announceEdits(given),
      scheduleEnds(),
      describeScheduled(),
      showLinks(given),
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
