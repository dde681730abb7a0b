import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import { type Clock, type Logger, once, type ServiceModule, type ServiceSchema } from '@rookery/runtime'
import { attachmentsHandler } from './attachments/attachments.rpc.ts'
import type { MediaConfig } from './config.ts'
import { migrations } from './database/migrations/index.ts'
import type { MediaTables } from './database/schema.ts'
import { pictureProcesses, workQueue } from './processing/index.ts'
import { discardFiles, discardUnnamed } from './reaper/discard-files.job.ts'
import { forgetOwners } from './reaper/forget-owners.consumer.ts'
import { releaseAttachments } from './reaper/index.ts'
import { reapAttachments } from './reaper/reap-attachments.job.ts'
import { reaper } from './reaper/reaper.consumer.ts'
import { SERVICE } from './service.ts'
import { serveFiles } from './serving/index.ts'
import type { Storage } from './storage/index.ts'
import { fileOperatorHandler } from './upkeep/files.rpc.ts'
import { diskSpool, uploadAttachment } from './uploads/index.ts'

export { filesFolder, type MediaConfig, mediaConfig, readMediaConfig } from './config.ts'
export type { MediaTables } from './database/schema.ts'
export { diskStorage, openStorage, type Storage } from './storage/index.ts'

/** The schema `media`. */
export const schema: ServiceSchema = { name: SERVICE, migrations }

/** What media needs from the process that runs it. */
export type MediaDeps = {
  database: Database<MediaTables>
  outbox: Outbox
  storage: Storage
  clock: Clock
  ids: Ids
  log: Logger
  config: MediaConfig
}

/** Pictures processed at once, of all people and of one, and those behind them. */
const PROCESSED = { running: 2, runningPerOwner: 1, waiting: 64, waitingPerOwner: 16 }

/** Files: receives, processes, keeps, serves and deletes them. */
export const createMedia = (deps: MediaDeps): ServiceModule => {
  const { config, ...rest } = deps
  const spool = diskSpool({ root: config.spoolFolder })
  const pictures = pictureProcesses({ log: deps.log })
  const queue = workQueue(PROCESSED)
  const upload = uploadAttachment({ ...rest, spool, queue, pictures })
  return {
    rpc: [attachmentsHandler({ ...rest, addresses: config, upload, release: releaseAttachments(deps), discard: discardUnnamed(deps) })],
    operator: [fileOperatorHandler(deps)],
    http: serveFiles(deps),
    consumers: [reaper(deps), forgetOwners(deps)],
    jobs: [reapAttachments(deps), discardFiles(deps)],
    checks: { files: once(deps.storage.fault) },
    metrics: [
      ...pictures.metrics,
      { name: 'rookery_pictures_waiting', help: 'Uploaded pictures that wait to be made.', kind: 'gauge', count: queue.waiting },
    ],
    close: pictures.close,
  }
}
