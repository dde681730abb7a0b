import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const PAUSE_MILLISECONDS = 500

/** Refusals that waiting mends: no one listens yet, the server is starting, the role or the database is about to be made. */
const PASSING = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ECONNRESET',
  // The socket of a server on this machine.
  'ENOENT',
  '57P03',
  '28000',
  '28P01',
  '3D000',
])

/** What pg says, without a code, when no one answers or someone hangs up. */
const SILENCE = /^timeout expired$|^Connection terminated/

const isPassing = (error: Error & { code?: string }): boolean => (error.code ? PASSING.has(error.code) : SILENCE.test(error.message))

type Waiting = {
  /** How long at most. */
  seconds?: number
  /** Called at the first refusal. */
  onWait?: (refusal: Error) => void
}

/**
 * Waits until a database lets a url in, for those who may be started before it.
 * @throws the last refusal when that lasts longer than `seconds`, or at once when waiting cannot mend it
 */
export const awaitDatabase = async (url: string, { seconds = 120, onWait }: Waiting = {}): Promise<void> => {
  const end = Date.now() + seconds * 1000
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      if (!isPassing(error as Error) || Date.now() > end) throw error
      if (attempt === 0) onWait?.(error as Error)
    } finally {
      await client.end().catch(() => {})
    }
    await pause(PAUSE_MILLISECONDS)
  }
}
