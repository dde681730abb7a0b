import { type Database, transact } from '@rookery/database'
import { isId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import { unclaimedExpiry } from '../attachments/index.ts'
import type { MediaTables } from '../database/schema.ts'
import { EndedSubjectWriter } from './ended-subject.store.ts'

type Deps = { database: Database<MediaTables>; clock: Clock }
type Release = { ownerId: string; subjectId: string; mediaIds: readonly string[] }

/**
 * Frees the files of a status that was just deleted, so that they can be posted again before the event of its deletion is handled
 * (beyond-the-spec 1.10, Delete). A repeat, and a call after the event, change nothing: the files may be attached elsewhere by then.
 */
export const releaseAttachments =
  ({ database, clock }: Deps) =>
  async ({ ownerId, subjectId, mediaIds }: Release): Promise<void> => {
    if (![ownerId, subjectId, ...mediaIds].every(isId)) return
    const now = clock.now()
    await transact(database.db, async (tx) => {
      const writer = new EndedSubjectWriter(tx)
      if ((await writer.end([subjectId], new Date(now))).length === 0) return
      const freed = await writer.free({ ownerId, subjectId, mediaIds }, unclaimedExpiry(now))
      // Its scheduled status has ended too; a late event must not attach the files to it again.
      await writer.end(freed, new Date(now))
    })
  }
