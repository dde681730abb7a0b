import { setTimeout as pause } from 'node:timers/promises'
import { isOutage } from '@rookery/failures'
import pg from 'pg'

const PAUSE_MILLISECONDS = 500

/** SQLSTATEs of a server whose role, password or database is not created yet. */
const UNPREPARED = new Set(['28000', '28P01', '3D000'])

/** Whether waiting may help. `timeout expired` is pg's only message, without a code, when there is no answer. */
const isPassing = (error: Error & { code?: string }): boolean =>
  isOutage(error) || UNPREPARED.has(error.code ?? '') || error.message === 'timeout expired'

type Waiting = {
  /** Maximum wait. */
  seconds?: number
  /** Called at the first refusal. */
  onWait?: (refusal: Error) => void
}

/**
 * Waits until a database accepts connections, for processes that may start before it.
 * @throws the last refusal when that lasts longer than `seconds`, or at once if waiting cannot help
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
