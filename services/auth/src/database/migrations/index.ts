import type { MigrationSet } from '@rookery/database'
import { logins } from './0001-logins.ts'
import { appsAndTokens } from './0002-apps-and-tokens.ts'
import { provider } from './0003-provider.ts'
import { passwordResets } from './0004-password-resets.ts'
import { accountPages } from './0005-account-pages.ts'
import { deletions } from './0006-closings.ts'
import { imports } from './0007-imports.ts'
import { reasonsToBeShutOut } from './0008-reasons-to-be-shut-out.ts'
import { askedEmailChanges } from './0009-asked-email-changes.ts'
import { derivedTokens } from './0010-derived-tokens.ts'
import { appNumbers } from './0011-app-numbers.ts'
import { numbersOfKnownApps } from './0012-numbers-of-known-apps.ts'
import { lastSeen } from './0013-last-seen.ts'
import { indexOfLastSeen } from './0014-index-of-last-seen.ts'

/** From an empty schema to this service's tables. */
export const authMigrations: MigrationSet = {
  name: 'auth',
  steps: {
    '0001-logins': logins,
    '0002-apps-and-tokens': appsAndTokens,
    '0003-provider': provider,
    '0004-password-resets': passwordResets,
    '0005-account-pages': accountPages,
    '0006-closings': deletions,
    '0007-imports': imports,
    '0008-reasons-to-be-shut-out': reasonsToBeShutOut,
    '0009-asked-email-changes': askedEmailChanges,
    '0010-derived-tokens': derivedTokens,
    '0011-app-numbers': appNumbers,
    '0012-numbers-of-known-apps': numbersOfKnownApps,
    '0013-last-seen': lastSeen,
    '0014-index-of-last-seen': indexOfLastSeen,
  },
}
