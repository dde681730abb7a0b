import { createIndexConcurrently, type MigrationStep } from '@rookery/database'

export const filesByKey: MigrationStep = {
  phase: 'expand',
  isTransactional: false,
  async up(db) {
    // Answer: which records name the files between two keys?
    await createIndexConcurrently(db, { name: 'attachment_original', on: 'attachment (original_key) where original_key is not null' })
    await createIndexConcurrently(db, { name: 'attachment_preview', on: 'attachment (preview_key) where preview_key is not null' })
  },
}
