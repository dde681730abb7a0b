import { setTimeout as pause } from 'node:timers/promises'
import { isOutage } from '@rookery/failures'
import pg from 'pg'

const PAUSE_MILLISECONDS = 500

/** What a server says whose role, password or database is about to be made. */
const UNPREPARED = new Set(['28000', '28P01', '3D000'])

/** Refusals that waiting mends. `timeout expired` is all that pg says, without a code, when no one answers. */
const isPassing = (error: Error & { code?: string }): boolean =>
  isOutage(error) || UNPREPARED.has(error.code ?? '') || error.message === 'timeout expired'

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
