import { type AddressRemoteFilesRequest, type RemoteFileAddresses, RemoteFilePurpose } from '@rookery/contracts/media'
import { type Database, transact } from '@rookery/database'
import { addJobs } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { SERVICE } from '../service.ts'
import { FETCH_REMOTE_FILE } from './fetch-remote-file.job.ts'
import { digestOf, isRemoteFile, type NamedRemoteFile, pathOf, type RemoteFile, type RemotePurpose } from './remote-file.rules.ts'
import { readUncached } from './remote-file.store.ts'

type Deps = { database: Database<MediaTables>; clock: Clock; addressKey: () => Promise<Buffer>; config: { filesUrl: string } }

const PURPOSES: Record<RemoteFilePurpose, RemotePurpose> = {
  [RemoteFilePurpose.UNSPECIFIED]: 'original',
  [RemoteFilePurpose.ORIGINAL]: 'original',
  [RemoteFilePurpose.PREVIEW]: 'preview',
  [RemoteFilePurpose.AVATAR]: 'avatar',
  [RemoteFilePurpose.HEADER]: 'header',
  [RemoteFilePurpose.EMOJI]: 'emoji',
}

/** Purposes that people see without opening anything. */
const SEEN_AT_ONCE: readonly RemotePurpose[] = ['preview', 'avatar', 'emoji']
/** Maximum files per call that are prefetched. */
const MAX_FETCHED = 64

/**
 * Returns the local URLs of files of other servers, and prefetches those that are likely to be seen soon in the background. Files with an
 * invalid URL have none.
 */
export const addressFiles = ({ database, clock, addressKey, config }: Deps) => {
  const fetchSoon = async (files: readonly NamedRemoteFile[]) => {
    const named = new Map(files.map((file) => [file.digest, file]))
    const uncached = await readUncached(database, { digests: [...named.keys()], now: new Date(clock.now()) })
    if (uncached.length === 0) return
    const jobs = uncached.map(({ digest }) => ({ payload: named.get(digest)!, key: `${FETCH_REMOTE_FILE}:${digest}` }))
    await transact(database.db, (tx) => addJobs(tx, SERVICE, FETCH_REMOTE_FILE, jobs))
  }

  return async ({ domain, files, isWantedSoon }: AddressRemoteFilesRequest): Promise<RemoteFileAddresses> => {
    const key = await addressKey()
    const all = files.map(({ url, purpose }): RemoteFile => ({ purpose: PURPOSES[purpose] ?? 'original', domain, url }))
    if (isWantedSoon) {
      const wanted = all.filter((file) => SEEN_AT_ONCE.includes(file.purpose) && isRemoteFile(file)).slice(0, MAX_FETCHED)
      await fetchSoon(wanted.map((file) => ({ ...file, digest: digestOf(key, file) })))
    }
    const addressOf = (file: RemoteFile, isStill: boolean) =>
      isRemoteFile(file) ? `${config.filesUrl}${pathOf(key, file, { isStill })}` : ''
    return { addresses: all.map((file) => ({ url: addressOf(file, false), staticUrl: addressOf(file, true) })) }
  }
}
