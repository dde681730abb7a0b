import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import type { Storage, StoredFile } from '../storage/index.ts'
import type { RemoteFetcher, RemoteKeys } from './fetch-remote.ts'
import { rejectedAmong } from './remote-domain.store.ts'
import { fileAt, isLongAsked, type NamedRemoteFile, type PathParts } from './remote-file.rules.ts'
import { type KnownFile, RemoteFileWriter, readRemoteFile } from './remote-file.store.ts'

/** A cached remote file. */
type OpenedRemote = { key: string; file: StoredFile }

/**
 * Opens the remote file of a signed path, and fetches it if it is not cached; undefined if it cannot be fetched. @throws Failure
 * unavailable
 */
export type OpenRemote = (parts: PathParts) => Promise<OpenedRemote | undefined>

type Deps = {
  database: Database<MediaTables>
  storage: Storage
  clock: Clock
  addressKey: () => Promise<Buffer>
  fetch: RemoteFetcher
}

export const openRemote = (deps: Deps): OpenRemote => {
  const open = openNamedRemote(deps)
  return async (parts) => {
    const file = fileAt(await deps.addressKey(), parts)
    return file && open(file)
  }
}

/** The same for a file without a signed path. */
export const openNamedRemote = ({ database, storage, clock, fetch }: Omit<Deps, 'addressKey'>) => {
  const opened = async ({ originalKey, stillKey }: RemoteKeys, isStill: boolean): Promise<OpenedRemote | undefined> => {
    const key = (isStill && stillKey) || originalKey
    const file = await storage.open(key)
    return file && { key, file }
  }

  /** Opens the cached file; marks the record if its files are missing in the storage. */
  const openKept = async ({ digest }: NamedRemoteFile, row: KnownFile | undefined, isStill: boolean) => {
    if (!row?.isKept || row.originalKey === null) return undefined
    const { originalKey, stillKey } = row
    const found = await opened({ originalKey, stillKey }, isStill)
    const now = clock.now()
    if (!found) await transact(database.db, (tx) => new RemoteFileWriter(tx).lose(digest))
    else if (isLongAsked(row.askedAt, now)) await transact(database.db, (tx) => new RemoteFileWriter(tx).touch(digest, new Date(now)))
    return found
  }

  return async (file: NamedRemoteFile & { isStill: boolean }): Promise<OpenedRemote | undefined> => {
    if ((await rejectedAmong(database, [file.domain, new URL(file.url).hostname])).size > 0) return undefined
    const { isStill, ...named } = file
    const [row] = await readRemoteFile(database, { digest: file.digest })
    const kept = await openKept(named, row, isStill)
    if (kept) return kept
    const fetched = await fetch(named)
    return fetched && opened(fetched, isStill)
  }
}
