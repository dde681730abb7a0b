import { Failure } from '@rookery/failures'
import { type Job, job } from '@rookery/jobs'
import type { RemoteFetcher } from './fetch-remote.ts'
import type { NamedRemoteFile } from './remote-file.rules.ts'

export const FETCH_REMOTE_FILE = 'fetch-remote-file'

/**
 * Fetches a file elsewhere before anyone asks for it. One that cannot be had now is fetched when someone does, so that nothing is tried again
 * here. Others wait in a lane of their own: slow servers do not hold up what is due here.
 */
export const fetchRemoteFile = ({ fetch }: { fetch: RemoteFetcher }): Job =>
  job<NamedRemoteFile>({
    name: FETCH_REMOTE_FILE,
    lane: 'remote',
    run: async (file, stop) => {
      const stopped = new Promise<never>((_resolve, reject) => stop?.addEventListener('abort', () => reject(stop.reason), { once: true }))
      try {
        await Promise.race([fetch(file), stopped])
      } catch (error) {
        if (!(error instanceof Failure && error.kind === 'unavailable')) throw error
      }
    },
  })
