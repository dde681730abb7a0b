import { baselineIn, type MigrationSet, spreadOfIds } from '@rookery/database'
import * as completedSteps from './0011-completed-steps.ts'
import * as remoteFiles from './0012-remote-files.ts'
import * as fileSizes from './0013-file-sizes.ts'
import * as barredNetworks from './0014-barred-networks.ts'
import * as changesOfKeptBytes from './0015-changes-of-kept-bytes.ts'
import * as withheldOwners from './0016-withheld-owners.ts'

/** The steps in whose place the baseline stands; a schema's table of steps has those it has had. */
const REPLACED = [
  '0001-attachments',
  '0002-emoji-pictures',
  '0003-preview-pictures',
  '0005-files-of-owners',
  '0006-files-by-key',
  '0007-ended-subjects',
  '0008-thumbnails',
  '0009-described-at',
  '0010-motion',
]

/** The schema `media`. */
export const migrations: MigrationSet = {
  name: 'media',
  baseline: baselineIn(new URL('baseline.sql', import.meta.url), REPLACED),
  steps: {
    '0011-completed-steps': completedSteps,
    '0012-remote-files': remoteFiles,
    '0013-file-sizes': fileSizes,
    '0014-barred-networks': barredNetworks,
    '0015-changes-of-kept-bytes': changesOfKeptBytes,
    '0016-withheld-owners': withheldOwners,
    '0017-spread-of-ids': spreadOfIds,
  },
}
