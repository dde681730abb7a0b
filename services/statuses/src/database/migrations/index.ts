import { baselineIn, type MigrationSet, spreadOfIds } from '@rookery/database'
import { oneIndexOfScheduled } from './0034-one-index-of-scheduled.ts'
import { announcements } from './0035-announcements.ts'
import { trends } from './0036-trends.ts'
import { tagsById } from './0037-tags-by-id.ts'
import * as completedSteps from './0038-completed-steps.ts'
import * as reportActs from './0039-report-acts.ts'
import * as pagesOfStaff from './0040-pages-of-staff.ts'
import * as actsOfStaff from './0041-acts-of-staff.ts'
import * as peopleElsewhere from './0042-people-elsewhere.ts'
import * as indexesOfElsewhere from './0043-indexes-of-elsewhere.ts'
import { handlesByDomain } from './0044-handles-by-domain.ts'
import * as quotes from './0045-quotes.ts'
import * as statusesElsewhere from './0046-statuses-elsewhere.ts'
import * as indexesOfFollowers from './0047-indexes-of-followers.ts'
import { domainBlocksByDomain } from './0049-domain-blocks-by-domain.ts'
import * as quoteAuthorizations from './0050-quote-authorizations.ts'
import * as findableStatuses from './0051-findable-statuses.ts'
import * as indexesOfFindable from './0052-indexes-of-findable.ts'
import { wordsOfFindable } from './0053-words-of-findable.ts'
import * as measures from './0054-measures.ts'
import * as indexesOfMeasures from './0055-indexes-of-measures.ts'
import * as removedUris from './0056-removed-uris.ts'
import * as reportsByTarget from './0057-reports-by-target.ts'
import * as remoteEmojis from './0058-remote-emojis.ts'
import * as pulledAuthors from './0059-pulled-authors.ts'
import * as reportsByCategory from './0060-reports-by-category.ts'
import * as suspendedElsewhere from './0061-suspended-elsewhere.ts'
import * as emojisByHost from './0062-emojis-by-host.ts'
import * as joined from './0063-joined.ts'
import * as wordsOfAuthors from './0064-words-of-authors.ts'
import * as publishers from './0065-publishers.ts'
import * as joinedBefore from './0066-joined-before.ts'
import * as readingPreferences from './0067-reading-preferences.ts'
import * as serverAddress from './0068-server-address.ts'
import * as countsElsewhere from './0070-counts-elsewhere.ts'
import * as reportedStatuses from './0071-reported-statuses.ts'
import * as indexOfCopies from './0072-index-of-copies.ts'
import * as unreferencedStatuses from './0074-unreferenced-statuses.ts'
import * as deletionPolicies from './0075-deletion-policies.ts'
import * as awaitedParents from './0076-awaited-parents.ts'
import * as scheduledReferences from './0077-scheduled-references.ts'

/** The steps in whose place the baseline stands; a schema's table of steps has those it has had. */
const REPLACED = [
  '0001-people-and-statuses',
  '0002-edits-and-pins',
  '0003-conversations',
  '0004-search',
  '0005-polls',
  '0006-emojis',
  '0007-emojis-of-texts',
  '0008-lists-and-tags',
  '0010-feeds',
  '0011-scheduled',
  '0012-cards',
  '0013-threads',
  '0014-filters',
  '0015-account-life',
  '0016-graph',
  '0017-profiles',
  '0018-reports',
  '0021-standing-and-locale',
  '0022-featured-tags',
  '0023-finding',
  '0024-told-of-posts',
  '0025-moved-and-remembered',
  '0026-parts-of-profiles',
  '0027-cards-of-many',
  '0028-tag-ids',
  '0029-ids-of-known-tags',
  '0030-posting-order',
  '0031-missed-times',
  '0032-scheduled-of-account',
  '0033-boosts-of-a-status',
]

/** The schema `statuses`. */
export const migrations: MigrationSet = {
  name: 'statuses',
  baseline: baselineIn(new URL('baseline.sql', import.meta.url), REPLACED),
  steps: {
    '0034-one-index-of-scheduled': oneIndexOfScheduled,
    '0035-announcements': announcements,
    '0036-trends': trends,
    '0037-tags-by-id': tagsById,
    '0038-completed-steps': completedSteps,
    '0039-report-acts': reportActs,
    '0040-pages-of-staff': pagesOfStaff,
    '0041-acts-of-staff': actsOfStaff,
    '0042-people-elsewhere': peopleElsewhere,
    '0043-indexes-of-elsewhere': indexesOfElsewhere,
    '0044-handles-by-domain': handlesByDomain,
    '0045-quotes': quotes,
    '0046-statuses-elsewhere': statusesElsewhere,
    '0047-indexes-of-followers': indexesOfFollowers,
    '0049-domain-blocks-by-domain': domainBlocksByDomain,
    '0050-quote-authorizations': quoteAuthorizations,
    '0051-findable-statuses': findableStatuses,
    '0052-indexes-of-findable': indexesOfFindable,
    '0053-words-of-findable': wordsOfFindable,
    '0054-measures': measures,
    '0055-indexes-of-measures': indexesOfMeasures,
    '0056-removed-uris': removedUris,
    '0057-reports-by-target': reportsByTarget,
    '0058-remote-emojis': remoteEmojis,
    '0059-pulled-authors': pulledAuthors,
    '0060-reports-by-category': reportsByCategory,
    '0061-suspended-elsewhere': suspendedElsewhere,
    '0062-emojis-by-host': emojisByHost,
    '0063-joined': joined,
    '0064-words-of-authors': wordsOfAuthors,
    '0065-publishers': publishers,
    '0066-joined-before': joinedBefore,
    '0067-reading-preferences': readingPreferences,
    '0068-server-address': serverAddress,
    '0069-spread-of-ids': spreadOfIds,
    '0070-counts-elsewhere': countsElsewhere,
    '0071-reported-statuses': reportedStatuses,
    '0072-index-of-copies': indexOfCopies,
    '0073-spread-of-ids': spreadOfIds,
    '0074-unreferenced-statuses': unreferencedStatuses,
    '0075-deletion-policies': deletionPolicies,
    '0076-awaited-parents': awaitedParents,
    '0077-scheduled-references': scheduledReferences,
    '0078-spread-of-ids': spreadOfIds,
  },
}
