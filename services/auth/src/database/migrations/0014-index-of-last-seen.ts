import { createIndexConcurrently, type MigrationStep } from '@rookery/database'

/** Answers: how many people were seen since a day? */
export const indexOfLastSeen: MigrationStep = {
  phase: 'expand',
  isTransactional: false,
  up: (db) => createIndexConcurrently(db, { name: 'login_last_seen', on: 'login (last_seen_on)' }),
}
