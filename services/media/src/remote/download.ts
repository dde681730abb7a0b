import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import { FetchError, type GuardedFetch } from '@rookery/ssrf-safe-fetch'
import type { MediaTables } from '../database/schema.ts'
import type { Spool, SpooledFile } from '../uploads/index.ts'
import type { FetchResult } from './remote.metrics.ts'
import { rejectedAmong } from './remote-domain.store.ts'
import { hourOf, maxRemoteBytes, pauseOfHost, type RemoteFile } from './remote-file.rules.ts'
import { RemoteHostWriter, readHost } from './remote-host.store.ts'

/** The error of a remote file that cannot be fetched; `result` is the reason. */
export class RemoteFileError extends Error {
  readonly result: FetchResult

  constructor(result: FetchResult, options: { cause?: unknown } = {}) {
    super(`a file of another server: ${result}`, options)
    this.name = 'RemoteFileError'
    this.result = result
  }
}

type Deps = {
  database: Database<MediaTables>
  fetchGuarded: GuardedFetch
  spool: Spool
  clock: Clock
  /** Maximum bytes fetched from one host per hour. */
  bytesPerHour: number
  hasMotion: boolean
}

const MILLISECONDS = 20_000
const MILLISECONDS_OF_ORIGINAL = 60_000
const TOO_MANY_REQUESTS = 429

const RESULTS: Record<FetchError['fault'], FetchResult> = {
  refused: 'refused',
  redirects: 'refused',
  type: 'refused',
  large: 'large',
  slow: 'unreachable',
  unreachable: 'unreachable',
}

const asRemoteFileError = (error: unknown): unknown =>
  error instanceof FetchError ? new RemoteFileError(RESULTS[error.fault], { cause: error }) : error

const resultOf = (status: number): FetchResult => (status >= 500 || status === TOO_MANY_REQUESTS ? 'unreachable' : 'missing')

/** The bytes received of an answer, even if it is truncated or exceeds its limit. */
type Arrived = { bytes: number }

/** Counts bytes as they arrive; beyond the limit, the limit is counted. */
async function* counted(source: AsyncIterable<Buffer>, { arrived, max }: { arrived: Arrived; max: number }): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source) {
      arrived.bytes += chunk.length
      yield chunk
    }
  } catch (error) {
    if (error instanceof FetchError && error.fault === 'large') arrived.bytes = max
    throw error
  }
}

/**
 * Fetches a remote file into a local folder, which the caller removes. A host that fails repeatedly is paused, and so is one that has used
 * up its hourly bytes.
 * @throws RemoteFileError
 */
export const downloader = ({ database, fetchGuarded, spool, clock, bytesPerHour, hasMotion }: Deps) => {
  const hosts = new RemoteHostWriter(database.db)

  /** How many bytes a host may still send within the hour. */
  const allowanceOf = async (host: string, now: number): Promise<number> => {
    const [known] = await readHost(database, { host })
    if (known?.restsUntil && known.restsUntil.getTime() > now) throw new RemoteFileError('resting')
    const sent = known && known.hour.getTime() === hourOf(now) ? known.bytes : 0
    if (sent >= bytesPerHour) throw new RemoteFileError('resting')
    return bytesPerHour - sent
  }

  type Asking = { maxBytes: number; arrived: Arrived; signal: AbortSignal }

  const ask = async ({ url, purpose }: RemoteFile, { maxBytes, arrived, signal }: Asking): Promise<SpooledFile> => {
    let received: SpooledFile | undefined
    try {
      const to = async (bytes: AsyncIterable<Buffer>) => {
        received = await spool.receive(counted(bytes, { arrived, max: maxBytes }), maxBytes)
      }
      const milliseconds = purpose === 'original' ? MILLISECONDS_OF_ORIGINAL : MILLISECONDS
      // Redirects to hosts whose files are rejected are not followed.
      const mayAsk = async ({ hostname }: URL) => (await rejectedAmong(database, [hostname])).size === 0
      const { status } = await fetchGuarded({ url, maxBytes, milliseconds, signal, to, mayAsk })
      if (!received) throw new RemoteFileError(resultOf(status))
      return received
    } catch (error) {
      await received?.remove()
      throw asRemoteFileError(error)
    }
  }

  const failed = async (host: string, now: number): Promise<void> => {
    const failures = await hosts.failed(host, { hour: new Date(hourOf(now)) })
    const pause = pauseOfHost(failures)
    if (pause > 0) await hosts.pause(host, new Date(now + pause))
  }

  return async (file: RemoteFile, signal: AbortSignal): Promise<SpooledFile> => {
    const { host } = new URL(file.url)
    const now = clock.now()
    const allowance = await allowanceOf(host, now)
    const arrived: Arrived = { bytes: 0 }
    try {
      const received = await ask(file, { maxBytes: Math.min(allowance, maxRemoteBytes(file.purpose, { hasMotion })), arrived, signal })
      await hosts.answered(host, { hour: new Date(hourOf(now)), bytes: received.size })
      return received
    } catch (error) {
      if (arrived.bytes > 0) await hosts.sent(host, { hour: new Date(hourOf(now)), bytes: arrived.bytes })
      if (signal.aborted) throw new RemoteFileError('busy', { cause: error })
      if (error instanceof RemoteFileError && error.result === 'unreachable') await failed(host, now)
      throw error
    }
  }
}
