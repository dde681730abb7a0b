import type { Database } from '@rookery/database'
import type { Clock, Logger, ServiceModule } from '@rookery/runtime'
import { guardedFetch, type MayConnect, mayConnectTo, type Resolve } from '@rookery/ssrf-safe-fetch'
import type { MediaTables } from '../database/schema.ts'
import type { MotionTools } from '../motion/index.ts'
import { type PictureProcesses, type WorkQueue, workQueue } from '../processing/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Spool } from '../uploads/index.ts'
import { addressKey } from './address-key.ts'
import { downloader } from './download.ts'
import { remoteFetcher } from './fetch-remote.ts'
import { fetchRemoteFile } from './fetch-remote-file.job.ts'
import { makeRemote } from './make-remote.ts'
import { type OpenRemote, openNamedRemote, openRemote } from './open-remote.ts'
import { type PruneRemote, pruneRemote, pruneRemoteFiles, type ReadUsage, readUsage } from './prune-remote-files.job.ts'
import { rejectDomains, removeRejectedFiles } from './reject-domain.ts'
import { noRemoteFetches, remoteMetrics } from './remote.metrics.ts'
import { createRemoteFilesRpc } from './remote-files.rpc.ts'

/** The configuration of remote files. */
export type RemoteConfig = {
  /** Days that a file is cached after its last request; 0 for ever. */
  days: number
  /** Maximum bytes fetched from one host per hour. */
  bytesPerHour: number
  /** Whether other servers may be at private addresses, over http and at any port: for tests. */
  allowsPrivate: boolean
}

type Deps = {
  database: Database<MediaTables>
  storage: Storage
  spool: Spool
  /** The queue of pictures, shared with uploads. */
  queue: WorkQueue
  pictures: PictureProcesses
  motion: MotionTools | undefined
  clock: Clock
  log: Logger
  mayConnect?: MayConnect
  resolve?: Resolve
  config: { baseUrl: string; filesUrl: string; remote: RemoteConfig }
}

/** Maximum concurrent fetches, in total and per host, and queued behind them: files being fetched must fit into the work folder. */
const FETCHES = { running: 8, runningPerOwner: 4, waiting: 512, waitingPerOwner: 64 }

const ANYWHERE: MayConnect = () => true
/** Only the port of https, as for servers' documents. */
const SERVERS = mayConnectTo({ ports: [443] })

type Remote = Pick<ServiceModule, 'rpc' | 'consumers' | 'jobs'> & {
  metrics: ReturnType<typeof remoteMetrics>
  open: OpenRemote
  readUsage: ReadUsage
  pruneRemote: PruneRemote
  /** Cancels everything under way. */
  close(): void
}

/** Files of other servers: their local URLs, fetching, caching, serving and pruning, so that readers connect to this server only. */
export const createRemote = (deps: Deps): Remote => {
  const { config, database, clock, resolve } = deps
  const { allowsPrivate, bytesPerHour } = config.remote
  const fetchGuarded = guardedFetch({
    baseUrl: config.baseUrl,
    isOwnPortOnly: allowsPrivate,
    mayConnect: allowsPrivate ? ANYWHERE : (deps.mayConnect ?? SERVERS),
    ...(resolve && { resolve }),
  })
  const counts = noRemoteFetches()
  const closing = new AbortController()
  const keyed = { ...deps, addressKey: addressKey(database) }
  const fetch = remoteFetcher({
    ...deps,
    fetches: workQueue(FETCHES),
    pictures: deps.queue,
    download: downloader({ ...deps, fetchGuarded, bytesPerHour, hasMotion: deps.motion !== undefined }),
    make: makeRemote(deps),
    counts,
    closing: closing.signal,
  })
  return {
    rpc: [createRemoteFilesRpc({ ...keyed, open: openNamedRemote({ ...deps, fetch }) })],
    consumers: [rejectDomains()],
    jobs: [fetchRemoteFile({ fetch }), pruneRemoteFiles(deps), removeRejectedFiles(deps)],
    metrics: remoteMetrics({ counts, database, clock }),
    open: openRemote({ ...keyed, fetch }),
    readUsage: readUsage(deps),
    pruneRemote: pruneRemote(deps),
    close: () => closing.abort(),
  }
}
