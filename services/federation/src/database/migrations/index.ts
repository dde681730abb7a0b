import { baselineIn, type MigrationSet, spreadOfIds } from '@rookery/database'
import * as allowedDomains from './0003-allowed-domains.ts'
import * as otherServers from './0004-other-servers.ts'
import * as storedPolicy from './0005-stored-policy.ts'
import * as domainImports from './0006-domain-imports.ts'
import * as acts from './0007-acts.ts'
import * as termsOfService from './0009-terms-of-service.ts'
import * as pictures from './0010-pictures.ts'
import * as fetchedThreads from './0011-fetched-threads.ts'
import * as failedActivities from './0012-failed-activities.ts'
import * as followedElsewhere from './0013-followed-elsewhere.ts'
import * as forFollowers from './0014-for-followers.ts'
import * as proofKeys from './0015-proof-keys.ts'
import * as countsAsked from './0016-counts-asked.ts'
import * as barredNetworks from './0017-barred-networks.ts'
import * as endsOfFollows from './0018-ends-of-follows.ts'
import * as relays from './0020-relays.ts'
import * as removedRules from './0021-removed-rules.ts'
import * as appliedBlocks from './0022-applied-blocks.ts'

/** The steps in whose place the baseline stands; a schema's table of steps has those it has had. */
const REPLACED = ['0001-instance', '0002-configured-texts']

/** The schema `federation`. */
export const migrations: MigrationSet = {
  name: 'federation',
  baseline: baselineIn(new URL('baseline.sql', import.meta.url), REPLACED),
  steps: {
    '0003-allowed-domains': allowedDomains,
    '0004-other-servers': otherServers,
    '0005-stored-policy': storedPolicy,
    '0006-domain-imports': domainImports,
    '0007-acts': acts,
    '0009-terms-of-service': termsOfService,
    '0010-pictures': pictures,
    '0011-fetched-threads': fetchedThreads,
    '0012-failed-activities': failedActivities,
    '0013-followed-elsewhere': followedElsewhere,
    '0014-for-followers': forFollowers,
    '0015-proof-keys': proofKeys,
    '0016-counts-asked': countsAsked,
    '0017-barred-networks': barredNetworks,
    '0018-ends-of-follows': endsOfFollows,
    '0019-spread-of-ids': spreadOfIds,
    '0020-relays': relays,
    '0021-removed-rules': removedRules,
    '0022-applied-blocks': appliedBlocks,
  },
}
