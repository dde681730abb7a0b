import { followBarredNetworks } from '@rookery/barred-networks'
import { LIMITS } from '@rookery/contracts/limits'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import { backlogRpc, type Clock, type Logger, once, type ServiceModule, type ServiceSchema } from '@rookery/runtime'
import type { MayConnect, Resolve } from '@rookery/ssrf-safe-fetch'
import { createAttachmentsRpc } from './attachments/attachments.rpc.ts'
import type { MediaConfig } from './config.ts'
import { migrations } from './database/migrations/index.ts'
import type { MediaTables } from './database/schema.ts'
import { keptBytes, sumKept } from './kept-bytes/index.ts'
import { endOverdue, findTools, type MotionTools, motionMetrics, motionTools, processMotion, startNote } from './motion/index.ts'
import { pictureProcesses, workQueue } from './processing/index.ts'
import { discardFiles, discardUnnamed } from './reaper/discard-files.job.ts'
import { forgetOwners } from './reaper/forget-owners.consumer.ts'
import { releaseAttachments } from './reaper/index.ts'
import { reapAttachments } from './reaper/reap-attachments.job.ts'
import { reaper } from './reaper/reaper.consumer.ts'
import { createRemote } from './remote/index.ts'
import { SERVICE } from './service.ts'
import { serveFiles } from './serving/index.ts'
import type { Storage } from './storage/index.ts'
import { createFileOperatorRpc } from './upkeep/files.rpc.ts'
import { diskSpool, maxBytes, uploadAttachment } from './uploads/index.ts'
import { type WithheldFiles, withheldFiles } from './withholding/index.ts'
import { withholdFiles } from './withholding/withhold-files.consumer.ts'
import { workFolders } from './work-folders.ts'

export { filesFolder, type MediaConfig, mediaConfig, readMediaConfig } from './config.ts'
export type { MediaTables } from './database/schema.ts'
export { PROCESS_MOTION } from './motion/index.ts'
export { diskStorage, openStorage, type Storage } from './storage/index.ts'

/** The schema `media`. */
export const schema: ServiceSchema = { name: SERVICE, migrations }

/** The dependencies of media. */
type MediaDeps = {
  database: Database<MediaTables>
  outbox: Outbox
  storage: Storage
  clock: Clock
  ids: Ids
  log: Logger
  /** Which addresses files of other servers may be fetched from; by default those of the public internet. */
  mayConnect?: MayConnect
  resolve?: Resolve
  config: MediaConfig
}

/** Maximum pictures processed concurrently, in total and per owner, and queued behind them. */
const PROCESSED = { running: 2, runningPerOwner: 1, waiting: 64, waitingPerOwner: 16 }

const fileBytesIn = (deps: Pick<MediaDeps, 'database'>) => async (): Promise<number> => {
  const { uploaded, remote } = await keptBytes(deps)
  return uploaded + remote
}

/** The accepted types with these tools. */
const acceptedBy = (tools: MotionTools | undefined) => ({
  contentTypes: [
    ...LIMITS.media.imageTypes,
    ...(tools?.readsHeif ? LIMITS.media.heifTypes : []),
    ...(tools ? LIMITS.media.motionTypes : []),
  ],
  maxBytes: maxBytes('attachment', { hasMotion: tools !== undefined }),
})

const consumersOf = (deps: MediaDeps, withheld: WithheldFiles) => [
  reaper(deps),
  forgetOwners(deps),
  withholdFiles({ ...deps, changed: withheld.changed }),
  followBarredNetworks<MediaTables>({ name: 'media.networks', topic: 'auth.v1' }),
]

const jobsOf = (deps: MediaDeps & Pick<Parameters<typeof processMotion>[0], 'tools' | 'folders' | 'metrics'>) => [
  reapAttachments(deps),
  discardFiles(deps),
  sumKept(deps),
  endOverdue(deps),
  processMotion(deps),
]

/** Creates the module of media: receives, processes, stores, serves and deletes files. */
export const createMedia = (deps: MediaDeps): ServiceModule => {
  const { config, ...rest } = deps
  const folders = workFolders({ root: config.spoolFolder })
  const found = config.motion && findTools(config.motion)
  const tools = found && motionTools(found)
  const motion = motionMetrics()
  const pictures = pictureProcesses({ log: deps.log })
  const queue = workQueue(PROCESSED)
  const spool = diskSpool(folders)
  const upload = uploadAttachment({ ...rest, spool, queue, pictures, motion: tools })
  const withheld = withheldFiles(deps)
  const remote = createRemote({ ...deps, spool, queue, pictures, motion: tools })
  const attachments = {
    ...rest,
    addresses: config,
    upload,
    release: releaseAttachments(deps),
    discard: discardUnnamed(deps),
    accepted: acceptedBy(tools),
  }
  return {
    rpc: [createAttachmentsRpc(attachments), ...remote.rpc, backlogRpc({ ...deps, service: 'media' }, { fileBytes: fileBytesIn(deps) })],
    operator: [createFileOperatorRpc({ ...deps, ...remote })],
    http: serveFiles({ ...deps, openRemote: remote.open, withheld }),
    consumers: [...consumersOf(deps, withheld), ...remote.consumers],
    jobs: [...jobsOf({ ...deps, tools, folders, metrics: motion }), ...remote.jobs],
    notes: config.motion ? [startNote(found)] : ['Video and sound are off: VIDEO is off.'],
    checks: { files: once(deps.storage.fault) },
    metrics: [
      ...pictures.metrics,
      ...(tools ? motion.metrics : []),
      ...remote.metrics,
      { name: 'rookery_pictures_waiting', help: 'Uploaded pictures that wait to be made.', kind: 'gauge', count: queue.waiting },
    ],
    close: async () => {
      remote.close()
      await pictures.close()
    },
  }
}
