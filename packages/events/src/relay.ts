import { setTimeout as pause } from 'node:timers/promises'
import { every } from '@rookery/handles'
import { createOutboxMover, type OutboxMoverOptions } from './outbox-mover.ts'
import { createRounds } from './rounds.ts'

/** Moves events from a schema's outbox to the bus. */
export type Relay = {
  /** Signals that the outbox may have events. Cheap: many calls within a moment cause one round. */
  wake(): void
  /** Whether nothing is being moved and no wake is pending. */
  isIdle(): boolean
  /** Moves all events; resolves when the outbox is empty, when another relay holds the lock, or when an error was reported. */
  drain(): Promise<void>
  /** When it last finished a round or a batch of one (performance.now()). There is a round at each interval, even without a wake. */
  lastRound(): number
  /** Whether this relay holds the lock of the schema and moves its events. */
  isHolding(): boolean
  /** How long the oldest event has been the same one, whichever relay holds the lock, in milliseconds; 0 when the outbox is empty. */
  stalledMilliseconds(): number
  /** Moves all events one last time, for some seconds at most, and stops. */
  close(): Promise<void>
}

export type RelayOptions = OutboxMoverOptions & {
  onError?: (error: unknown) => void
  /** How often to check the outbox without a wake, in milliseconds. */
  intervalMilliseconds?: number
}

/** Minimum interval of rounds, in milliseconds: a burst of posts causes few rounds. */
const PAUSE = 20
/** How long the last round may take at close, in milliseconds; the rest is left to the next relay. */
const FLUSH_MILLISECONDS = 5000

/**
 * One relay at a time works a schema, under an advisory lock that its connection holds. It reads the lowest rows, publishes them, and
 * deletes those that the bus acknowledged: never a cursor over ids, which would skip a transaction that commits late. It also deletes old
 * records of handled events, and old dead letters, some in each round.
 */
export const createRelay = (options: RelayOptions): Relay => {
  const onError = (error: unknown) => options.onError?.(error)
  let lastRound = performance.now()
  const noteProgress = () => {
    lastRound = performance.now()
  }
  const rounds = createRounds(() => mover.moveAll().finally(noteProgress), { milliseconds: PAUSE, onError })
  const mover = createOutboxMover(options, { wake: rounds.wake, onBatch: noteProgress })
  const interval = every(options.intervalMilliseconds ?? 1000, rounds.wake, { onError })

  return {
    wake: rounds.wake,
    lastRound: () => lastRound,
    isHolding: mover.isHolding,
    stalledMilliseconds: mover.stalledMilliseconds,
    isIdle: rounds.isIdle,
    async drain() {
      await rounds.finishCurrent()
      await rounds.run()
    },
    async close() {
      interval.stop()
      await rounds.finishCurrent()
      if (mover.isOpen()) await Promise.race([rounds.run(), pause(FLUSH_MILLISECONDS, undefined, { ref: false })])
      mover.stop()
      await rounds.close()
      await mover.close()
    },
  }
}
