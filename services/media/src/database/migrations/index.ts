import type { MigrationSet } from '@rookery/database'
import { attachments } from './0001-attachments.ts'
import { emojiPictures } from './0002-emoji-pictures.ts'
import { previewPictures } from './0003-preview-pictures.ts'
import { filesOfOwners } from './0005-files-of-owners.ts'
import { filesByKey } from './0006-files-by-key.ts'
import { endedSubjects } from './0007-ended-subjects.ts'
import { thumbnails } from './0008-thumbnails.ts'
import { describedAt } from './0009-described-at.ts'
import { motion } from './0010-motion.ts'

/** From an empty schema to this service's tables. */
export const migrations: MigrationSet = {
  name: 'media',
  steps: {
    '0001-attachments': attachments,
    '0002-emoji-pictures': emojiPictures,
    '0003-preview-pictures': previewPictures,
    '0005-files-of-owners': filesOfOwners,
    '0006-files-by-key': filesByKey,
    '0007-ended-subjects': endedSubjects,
    '0008-thumbnails': thumbnails,
    '0009-described-at': describedAt,
    '0010-motion': motion,
  },
}
