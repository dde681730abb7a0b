import type { Endpoint } from '../http/endpoint.ts'
import * as accounts from './accounts.ts'
import * as adminAccounts from './admin-accounts.ts'
import * as adminCanonicalEmailBlocks from './admin-canonical-email-blocks.ts'
import * as adminDashboard from './admin-dashboard.ts'
import * as adminDomainAllows from './admin-domain-allows.ts'
import * as adminDomainBlocks from './admin-domain-blocks.ts'
import * as adminEmailDomainBlocks from './admin-email-domain-blocks.ts'
import * as adminIpBlocks from './admin-ip-blocks.ts'
import * as adminReports from './admin-reports.ts'
import * as adminTags from './admin-tags.ts'
import * as adminTrends from './admin-trends.ts'
import * as announcements from './announcements.ts'
import * as annualReports from './annual-reports.ts'
import * as apps from './apps.ts'
import * as blocks from './blocks.ts'
import * as bookmarks from './bookmarks.ts'
import * as browserFiles from './browser-files.ts'
import * as conversations from './conversations.ts'
import * as customEmojis from './custom-emojis.ts'
import * as directory from './directory.ts'
import { documentOf } from './document.ts'
import * as domainBlocks from './domain-blocks.ts'
import * as edits from './edits.ts'
import * as emails from './emails.ts'
import * as endorsements from './endorsements.ts'
import * as favourites from './favourites.ts'
import * as featuredTags from './featured-tags.ts'
import * as filterParts from './filter-parts.ts'
import * as filtersV1 from './filters-v1.ts'
import * as filtersV2 from './filters-v2.ts'
import * as followRequests from './follow-requests.ts'
import * as instance from './instance.ts'
import * as interactions from './interactions.ts'
import * as invites from './invites.ts'
import * as languages from './languages.ts'
import * as lists from './lists.ts'
import * as markers from './markers.ts'
import * as media from './media.ts'
import * as mutes from './mutes.ts'
import * as notificationGroups from './notification-groups.ts'
import * as notificationPolicy from './notification-policy.ts'
import * as notificationRequests from './notification-requests.ts'
import * as notifications from './notifications.ts'
import * as oembed from './oembed.ts'
import * as pictures from './pictures.ts'
import * as pins from './pins.ts'
import * as polls from './polls.ts'
import * as preferences from './preferences.ts'
import * as profile from './profile.ts'
import * as push from './push.ts'
import * as quotes from './quotes.ts'
import * as relationships from './relationships.ts'
import * as reports from './reports.ts'
import * as scheduledStatuses from './scheduled-statuses.ts'
import * as search from './search.ts'
import * as statuses from './statuses.ts'
import * as suggestions from './suggestions.ts'
import * as tags from './tags.ts'
import * as threads from './threads.ts'
import * as timelines from './timelines.ts'
import * as translation from './translation.ts'
import * as trends from './trends.ts'
import * as userinfo from './userinfo.ts'
import * as wellKnown from './well-known.ts'

const isEndpoint = (value: unknown): value is Endpoint => typeof value === 'object' && value !== null && 'handle' in value

/** All endpoints of the gateway. Every endpoint exported by a file of this folder must be listed. */
export const endpoints: readonly Endpoint[] = [
  accounts,
  adminAccounts,
  adminCanonicalEmailBlocks,
  adminDashboard,
  adminDomainAllows,
  adminDomainBlocks,
  adminTags,
  adminTrends,
  announcements,
  annualReports,
  adminReports,
  adminEmailDomainBlocks,
  adminIpBlocks,
  apps,
  conversations,
  customEmojis,
  directory,
  { readOpenApi: documentOf(() => endpoints) },
  domainBlocks,
  edits,
  emails,
  endorsements,
  featuredTags,
  filterParts,
  filtersV1,
  filtersV2,
  instance,
  interactions,
  invites,
  languages,
  lists,
  markers,
  media,
  notificationGroups,
  notificationPolicy,
  notificationRequests,
  notifications,
  oembed,
  blocks,
  bookmarks,
  browserFiles,
  favourites,
  followRequests,
  mutes,
  pictures,
  pins,
  polls,
  preferences,
  profile,
  push,
  quotes,
  relationships,
  reports,
  scheduledStatuses,
  search,
  statuses,
  suggestions,
  tags,
  threads,
  timelines,
  translation,
  trends,
  userinfo,
  wellKnown,
].flatMap((file) => Object.values(file as Record<string, unknown>).filter(isEndpoint))
