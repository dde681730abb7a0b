import { createRounds } from '../rounds.ts'
import { bounded } from './bounded.ts'

/** The offset up to which the messages of a partition are handled. */
export type Handled = { topic: string; partition: number; offset: string }

/** The offsets of handled messages, which are committed after a short delay. */
export type Offsets = {
  note(of: { topic: string; partition: number }, offset: string): void
  /** Partitions may have been reassigned: messages without a committed offset are delivered again to the new owner. */
  forget(): void
  /** Commits the remaining offsets, for a moment at most. */
  close(): Promise<void>
}

/**
 * Minimum interval of commits, in milliseconds: a commit is a write in the brokers, and a busy group handles dozens of batches a second.
 * After a kill, handled messages without a committed offset are delivered again.
 */
const PAUSE = 250
const LAST_MILLISECONDS = 1000

/** Starts with no offsets. A failed commit is reported and retried. */
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
