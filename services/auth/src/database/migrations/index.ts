import { baselineIn, type MigrationSet, spreadOfIds } from '@rookery/database'
import * as mailPreferences from './0015-mail-preferences.ts'
import * as idempotentRequests from './0016-idempotent-requests.ts'
import * as pagesOfStaff from './0017-pages-of-staff.ts'
import * as addressBlocks from './0018-address-blocks.ts'
import * as actsOfStaff from './0019-acts-of-staff.ts'
import * as provenBrowsers from './0020-proven-browsers.ts'
import * as actsOnOtherThings from './0021-acts-on-other-things.ts'
import * as secondFactors from './0022-second-factors.ts'
import * as daysOfActivity from './0023-days-of-activity.ts'
import * as passkeys from './0024-passkeys.ts'
import * as removedApps from './0025-removed-apps.ts'
import * as indexesOfApps from './0026-indexes-of-apps.ts'
import * as termsVersions from './0027-terms-versions.ts'
import * as barredNetworks from './0028-barred-networks.ts'
import * as abandonedSignUps from './0029-abandoned-sign-ups.ts'
import * as appeals from './0030-appeals.ts'
import * as actsByAccount from './0031-acts-by-account.ts'
import * as invites from './0032-invites.ts'
import * as mailsOfStaff from './0034-mails-of-staff.ts'

/** The steps in whose place the baseline stands; a schema's table of steps has those it has had. */
const REPLACED = [
  '0001-logins',
  '0002-apps-and-tokens',
  '0003-provider',
  '0004-password-resets',
  '0005-account-pages',
  '0006-closings',
  '0007-imports',
  '0008-reasons-to-be-shut-out',
  '0009-asked-email-changes',
  '0010-derived-tokens',
  '0011-app-numbers',
  '0012-numbers-of-known-apps',
  '0013-last-seen',
  '0014-index-of-last-seen',
]

/** The schema `auth`. */
export const authMigrations: MigrationSet = {
  name: 'auth',
  baseline: baselineIn(new URL('baseline.sql', import.meta.url), REPLACED),
  steps: {
    '0015-mail-preferences': mailPreferences,
    '0016-idempotent-requests': idempotentRequests,
    '0017-pages-of-staff': pagesOfStaff,
    '0018-address-blocks': addressBlocks,
    '0019-acts-of-staff': actsOfStaff,
    '0020-proven-browsers': provenBrowsers,
    '0021-acts-on-other-things': actsOnOtherThings,
    '0022-second-factors': secondFactors,
    '0023-days-of-activity': daysOfActivity,
    '0024-passkeys': passkeys,
    '0025-removed-apps': removedApps,
    '0026-indexes-of-apps': indexesOfApps,
    '0027-terms-versions': termsVersions,
    '0028-barred-networks': barredNetworks,
    '0029-abandoned-sign-ups': abandonedSignUps,
    '0030-appeals': appeals,
    '0031-acts-by-account': actsByAccount,
    '0032-invites': invites,
    '0033-spread-of-ids': spreadOfIds,
    '0034-mails-of-staff': mailsOfStaff,
  },
}
