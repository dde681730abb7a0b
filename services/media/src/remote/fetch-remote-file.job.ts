import { Failure } from '@rookery/failures'
import { type Job, job } from '@rookery/jobs'
import type { RemoteFetcher } from './fetch-remote.ts'
import type { NamedRemoteFile } from './remote-file.rules.ts'

export const FETCH_REMOTE_FILE = 'fetch-remote-file'

/**
 * Prefetches a remote file. If that fails, it is fetched when it is requested, so the job is not retried. A lane of its own keeps slow
 * servers from delaying other jobs.
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
