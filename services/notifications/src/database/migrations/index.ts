import { baselineIn, type MigrationSet, spreadOfIds } from '@rookery/database'
import * as push from './0004-push.ts'
import * as groups from './0005-groups.ts'
import * as groupIndexes from './0006-index-of-groups.ts'
import { indexesOfFiltered, policy } from './0007-policy.ts'
import * as endedAccess from './0009-ended-access.ts'
import * as details from './0010-details.ts'

/** The steps in whose place the baseline stands; a schema's table of steps has those it has had. */
const REPLACED = ['0001-notifications', '0002-markers', '0003-reports']

/** The schema `notifications`. */
export const migrations: MigrationSet = {
  name: 'notifications',
  baseline: baselineIn(new URL('baseline.sql', import.meta.url), REPLACED),
  steps: {
    '0004-push': push,
    '0005-groups': groups,
    '0006-index-of-groups': groupIndexes,
    '0007-policy': policy,
    '0008-indexes-of-filtered': indexesOfFiltered,
    '0009-ended-access': endedAccess,
    '0010-details': details,
    '0011-spread-of-ids': spreadOfIds,
  },
}
