import { createIndexConcurrently, type MigrationStep } from '@rookery/database'

/** Moderators name a tag by its id. */
export const tagsById: MigrationStep = {
  phase: 'expand',
  isTransactional: false,
  async up(db) {
    // Answers: which tag has this id?
    await createIndexConcurrently(db, { name: 'tag_id', on: 'tag (id)', isUnique: true })
  },
}
