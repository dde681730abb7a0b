import { createRounds } from '../rounds.ts'
import { bounded } from './bounded.ts'

/** The offset up to which the messages of a partition are handled. */
export type Handled = { topic: string; partition: number; offset: string }

/** Offsets of what is handled, committed soon. */
export type Offsets = {
  note(of: { topic: string; partition: number }, offset: string): void
  /** Partitions may be another member's now: what of them is not committed yet comes again there. */
  forget(): void
  /** Commits what is left, for a moment at most. */
  close(): Promise<void>
}

/**
 * At most this often, in milliseconds: a commit is a write of the brokers, and a busy group handles dozens of batches a second. What was handled and
 * not committed when a process is killed comes again.
 */
const PAUSE = 250
const LAST_MILLISECONDS = 1000

/** Nothing is handled yet. A commit that fails is reported and tried again. */
export const createOffsets = (given: {
  commit(handled: readonly Handled[]): Promise<unknown>
  onError: (error: unknown) => void
}): Offsets => {
  let noted = new Map<string, Handled>()
  let timesForgotten = 0
  const commit = async () => {
    const handled = noted
    const before = timesForgotten
    noted = new Map()
    if (handled.size === 0) return false
    try {
      await given.commit([...handled.values()])
      return false
    } catch (error) {
      given.onError(error)
      if (timesForgotten === before) noted = new Map([...handled, ...noted])
      return noted.size > 0
    }
  }
  const rounds = createRounds(commit, { milliseconds: PAUSE, onError: given.onError })
  return {
    note({ topic, partition }, offset) {
      noted.set(`${topic} ${partition}`, { topic, partition, offset })
      rounds.wake()
    },
    forget() {
      timesForgotten++
      noted = new Map()
    },
    async close() {
      await bounded(rounds.close().then(commit), LAST_MILLISECONDS).catch(given.onError)
    },
  }
}
