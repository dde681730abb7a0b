import type { Database } from '@rookery/database'
import { invalid, orNotFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import { writeNoteRow } from './note.store.ts'

const MAX_CHARACTERS = 2000

/**
 * Stores a private note about an account; an empty one deletes it (beyond-the-spec 2.2).
 * @throws Failure not_found for an unknown account; invalid over 2,000 characters
 */
export const writeNote =
  ({ database }: { database: Database<StatusesTables> }) =>
  async ({ accountId, targetId }: { accountId: string; targetId: string }, comment: string): Promise<void> => {
    if ([...comment].length > MAX_CHARACTERS) throw invalid(`Comment is too long (maximum is ${MAX_CHARACTERS} characters)`)
    orNotFound((await writeNoteRow(database, { viewerId: accountId, targetId, comment }))[0])
  }
