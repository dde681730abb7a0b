import { type Database, type Tx, transact } from '@rookery/database'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { SERVICE } from '../service.ts'
import type { Storage } from '../storage/index.ts'
import { DiscardedFileReader, ReaperWriter } from './reaper.store.ts'

const DISCARD_FILES = 'discard-files'

/** Requests the deletion of the files that the transaction listed, after its commit. */
export const requestDiscarding = (tx: Tx<MediaTables>): Promise<void> => addJob(tx, SERVICE, DISCARD_FILES, {}, { key: DISCARD_FILES })

/** Schedules files for deletion after the commit, except those that a record names by then. */
export const discardUnnamed =
  ({ clock }: { clock: Clock }) =>
  async (tx: Tx<MediaTables>, keys: readonly string[]): Promise<void> => {
    await new ReaperWriter(tx).discardUnnamed(keys, new Date(clock.now()))
    await requestDiscarding(tx)
  }

/** Deletes scheduled files, then their rows: if the process dies in between, the deletion is repeated. */
export const discardFiles = ({ database, storage }: { database: Database<MediaTables>; storage: Storage }): Job =>
  job({
    name: DISCARD_FILES,
    run: async () => {
      const reader = new DiscardedFileReader(database.db)
      for (let keys = await reader.next(); keys.length > 0; keys = await reader.next()) {
        for (const key of keys) await storage.remove(key)
        const done = keys
        await transact(database.db, (tx) => new ReaperWriter(tx).forget(done))
      }
    },
  })
