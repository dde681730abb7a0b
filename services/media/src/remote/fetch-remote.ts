import { stat } from 'node:fs/promises'
import { type Database, transact } from '@rookery/database'
import { Failure, unavailable } from '@rookery/failures'
import type { Clock, Logger } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { UnreadableError, type WorkQueue } from '../processing/index.ts'
import { discardUnnamed } from '../reaper/index.ts'
import { makeKey, type Storage } from '../storage/index.ts'
import type { SpooledFile } from '../uploads/index.ts'
import { type downloader, RemoteFileError } from './download.ts'
import type { MadeRemote, makeRemote } from './make-remote.ts'
import type { RemoteCounts } from './remote.metrics.ts'
import { rejectedAmong } from './remote-domain.store.ts'
import { type NamedRemoteFile, retryDelayOfFile } from './remote-file.rules.ts'
import { type KnownFile, RemoteFileWriter, readRemoteFile, type StoredKeys } from './remote-file.store.ts'

/** The keys of a cached remote file. */
export type RemoteKeys = Pick<StoredKeys, 'originalKey' | 'stillKey'>

/** Fetches and stores a remote file; undefined where it cannot be fetched. @throws Failure unavailable where a retry may succeed */
export type RemoteFetcher = (file: NamedRemoteFile) => Promise<RemoteKeys | undefined>

type Deps = {
  database: Database<MediaTables>
  storage: Storage
  clock: Clock
  log: Logger
  /** The queue of fetches, in total and per host. */
  fetches: WorkQueue
  /** The queue of pictures, shared with uploads. */
  pictures: WorkQueue
  download: ReturnType<typeof downloader>
  make: ReturnType<typeof makeRemote>
  counts: RemoteCounts
  /** Aborts at shutdown. */
  closing: AbortSignal
}

/** The owner under which all remote pictures queue among those of people here. */
const LANE = 'remote'
/** Maximum time per file, queueing included, in milliseconds. */
const MAX_MILLISECONDS = 90_000

/** Results that do not depend on the file: they are not recorded. */
const PASSING: readonly RemoteFileError['result'][] = ['resting', 'busy', 'rejected']

const asResult = (error: unknown): RemoteFileError => {
  if (error instanceof RemoteFileError) return error
  if (error instanceof UnreadableError) return new RemoteFileError('unreadable', { cause: error })
  if (error instanceof Failure && error.kind !== 'unavailable') return new RemoteFileError('unreadable', { cause: error })
  if (error instanceof Failure) return new RemoteFileError('busy', { cause: error })
  throw error
}

const keysOf = ({ originalKey, stillKey, isKept }: KnownFile): RemoteKeys | undefined =>
  isKept && originalKey !== null ? { originalKey, stillKey } : undefined

const findKept = async ({ database }: Deps, { digest }: NamedRemoteFile): Promise<RemoteKeys | undefined> => {
  const [row] = await readRemoteFile(database, { digest })
  return row && keysOf(row)
}

const bytesOf = async (files: readonly { path: string }[]): Promise<number> => {
  const sizes = await Promise.all(files.map(({ path }) => stat(path)))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

/** Records the keys of a fetched file, replacing earlier ones; false if it is cached already. */
const nameKeys = ({ database, clock }: Deps, file: NamedRemoteFile, keys: StoredKeys): Promise<boolean> =>
  transact(database.db, async (tx) => {
    const { isNamed, replaced } = await new RemoteFileWriter(tx).name(file, keys, new Date(clock.now()))
    if (replaced.length > 0) await discardUnnamed({ clock })(tx, replaced)
    return isNamed
  })

/** The record names the files before they are stored, so that a process that dies in between leaves no unknown file. */
const keepMade = async (deps: Deps, file: NamedRemoteFile, { original, still }: MadeRemote): Promise<RemoteKeys | undefined> => {
  const { database, storage } = deps
  const bytes = await bytesOf([original, ...(still ? [still] : [])])
  const keys = { originalKey: makeKey(original.extension), stillKey: still ? makeKey(still.extension) : null, bytes }
  if (!(await nameKeys(deps, file, keys))) return findKept(deps, file)
  await storage.put(keys.originalKey, original.path)
  if (still && keys.stillKey) await storage.put(keys.stillKey, still.path)
  if (await transact(database.db, (tx) => new RemoteFileWriter(tx).keep(file.digest, keys))) return keys
  // Another process was faster: its files are recorded.
  for (const key of [keys.originalKey, keys.stillKey]) if (key) await storage.remove(key)
  return findKept(deps, file)
}

/** Fetches a file and stores it, each step in its queue. */
const fetchAndKeep = async (deps: Deps, file: NamedRemoteFile): Promise<RemoteKeys | undefined> => {
  const { fetches, pictures, download, make, counts } = deps
  const signal = AbortSignal.any([AbortSignal.timeout(MAX_MILLISECONDS), deps.closing])
  const made = (received: SpooledFile) =>
    file.purpose === 'original'
      ? make(received, file.purpose, signal)
      : pictures.run({ owner: LANE, signal }, () => make(received, file.purpose, signal))
  return fetches.run({ owner: new URL(file.url).host, signal }, async () => {
    const received = await download(file, signal)
    counts.bytes += received.size
    try {
      return await keepMade(deps, file, await made(received))
    } finally {
      await received.remove()
    }
  })
}

const refuseRejected = async ({ database }: Deps, { domain, url }: NamedRemoteFile) => {
  const names = [domain, new URL(url).hostname]
  if ((await rejectedAmong(database, names)).size > 0) throw new RemoteFileError('rejected')
}

/** Counts a failure, and records it if it depends on the file. @throws Failure unavailable if a retry may succeed */
const noteFailure = async ({ database, clock, log, counts }: Deps, file: NamedRemoteFile, error: unknown, failuresBefore: number) => {
  const failure = asResult(error)
  const { result } = failure
  counts.results[result]++
  log.debug({ err: error, result, domain: file.domain }, 'a file of another server cannot be had')
  if (!PASSING.includes(result)) {
    const [now, failures] = [clock.now(), failuresBefore + 1]
    const noted = { failures, now: new Date(now), retryAt: new Date(now + retryDelayOfFile(failures)) }
    await transact(database.db, (tx) => new RemoteFileWriter(tx).fail(file, noted))
  }
  if (result === 'resting' || result === 'busy') throw unavailable(failure)
}

const fetchOnce = async (deps: Deps, file: NamedRemoteFile): Promise<RemoteKeys | undefined> => {
  const [row] = await readRemoteFile(deps.database, { digest: file.digest })
  const kept = row && keysOf(row)
  if (kept) return kept
  if (row?.retryAt && row.retryAt.getTime() > deps.clock.now()) return undefined
  try {
    await refuseRejected(deps, file)
    const keys = await fetchAndKeep(deps, file)
    deps.counts.results.kept++
    return keys
  } catch (error) {
    await noteFailure(deps, file, error, row?.failures ?? 0)
    return undefined
  }
}

/** Fetches and stores remote files. Concurrent requests for one file share a fetch. */
export const remoteFetcher = (deps: Deps): RemoteFetcher => {
  const joined = new Map<string, Promise<RemoteKeys | undefined>>()
  return (file) => {
    const under = joined.get(file.digest)
    if (under) return under
    const fetched = fetchOnce(deps, file).finally(() => joined.delete(file.digest))
    joined.set(file.digest, fetched)
    return fetched
  }
}
