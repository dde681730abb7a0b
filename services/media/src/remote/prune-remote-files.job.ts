import type { FileUsage, PrunedRemoteFiles, PruneRemoteFilesRequest } from '@rookery/contracts/media'
import { type Database, transact } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { requestDiscarding } from '../reaper/index.ts'
import { hourOf, prunedBefore } from './remote-file.rules.ts'
import { AT_A_TIME, type Discarded, RemoteFileReader, RemoteFileWriter } from './remote-file.store.ts'
import { RemoteHostWriter } from './remote-host.store.ts'

type Deps = { database: Database<MediaTables>; clock: Clock; config: { remote: { days: number } } }

/** The number of servers listed with their bytes. */
const MAX_NAMED = 20
const DAY = 24 * 3_600_000

/** The number of files, and the bytes by server. */
export type ReadUsage = () => Promise<FileUsage>

export const readUsage =
  ({ database }: Pick<Deps, 'database'>): ReadUsage =>
  async () => {
    const reader = new RemoteFileReader(database.db)
    const [{ files, bytes }, domains, uploads] = [await reader.usage(), await reader.largest(MAX_NAMED), await reader.uploads()]
    return { uploads: uploads.files, uploadedBytes: uploads.bytes, remoteFiles: files, remoteBytes: bytes, domains }
  }

/** Deletes a batch of remote files that were not requested recently. */
export type PruneRemote = (request: PruneRemoteFilesRequest) => Promise<PrunedRemoteFiles>

export const pruneRemote =
  ({ database, clock }: Deps): PruneRemote =>
  ({ days, domain }) =>
    transact(database.db, async (tx) => {
      const now = clock.now()
      const [writer, before] = [new RemoteFileWriter(tx), days === 0 ? new Date(now) : prunedBefore(now, days)]
      const removed: Discarded =
        domain === '' ? await writer.discardUnasked(before, new Date(now)) : await writer.discardBelow(domain, before, new Date(now))
      if (removed.count > 0) await requestDiscarding(tx)
      return { removed: removed.count, bytes: removed.bytes }
    })

/** Deletes cached remote files that were not requested recently: they are fetched again on demand. Deletes expired records of hosts. */
export const pruneRemoteFiles = (deps: Deps): Job => {
  const prune = pruneRemote(deps)
  return job({
    name: 'prune-remote-files',
    cron: '23 * * * *',
    run: async () => {
      const { days } = deps.config.remote
      while (days > 0 && (await prune({ days, domain: '' })).removed === AT_A_TIME);
      await new RemoteHostWriter(deps.database.db).forget(new Date(hourOf(deps.clock.now()) - DAY))
    },
  })
}
