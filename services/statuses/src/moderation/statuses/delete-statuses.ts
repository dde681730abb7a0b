import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { isId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { removeStatuses } from '../../posts/statuses/index.ts'
import { StaffStatusWriter } from './staff-status.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock; baseUrl: string }

/**
 * Deletes statuses of an account for staff, with their files. Each has its own transaction, so that a repeat continues after a failure. A status of
 * another server is deleted only here, and never stored again.
 */
export const deleteStatuses =
  ({ database, outbox, clock, baseUrl }: Deps) =>
  async (authorId: string, ids: readonly string[]): Promise<void> => {
    for (const id of ids.filter(isId)) {
      await transact(database.db, async (tx) => {
        await new StaffStatusWriter(tx).refuse({ id, authorId, now: new Date(clock.now()) })
        await removeStatuses({ outbox, baseUrl }, tx, { ids: [id], authorId, deleteMedia: true })
      })
    }
  }
