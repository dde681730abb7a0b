import { setTimeout as pause } from 'node:timers/promises'
import { every } from '@rookery/handles'
import { createOutboxMover, type OutboxMoverOptions } from './outbox-mover.ts'
import { createRounds } from './rounds.ts'

/** Moves events from a schema's outbox to the bus. */
export type Relay = {
  /** There is something to move. Cheap: many calls within a moment make one round. */
  wake(): void
  /** Whether nothing is being moved and no one has woken it. */
  isIdle(): boolean
  /** Moves what there is now; resolves when the outbox was seen empty, when another relay holds the lock, or when a fault was reported. */
  drain(): Promise<void>
  /** When it last finished a round or a part of one (performance.now()). It goes round at each interval, woken or not. */
  lastRound(): number
  /** Whether this relay, of all that work the schema, is the one that moves events. */
  isHolding(): boolean
  /** For how long the oldest event has been the same one, whichever relay works the schema, in milliseconds; 0 when none waits. */
  stalledMilliseconds(): number
  /** Moves what there is one last time, for some seconds at most, and stops. */
  close(): Promise<void>
}

export type RelayOptions = OutboxMoverOptions & {
  onError?: (error: unknown) => void
  /** Looks at the outbox this often even when no one woke it, in milliseconds. */
  intervalMilliseconds?: number
}

/** Rounds start at most this often, in milliseconds: a burst of posts makes few rounds. */
const PAUSE = 20
/** What cannot be moved in this time when the relay closes is left to the next one, in milliseconds. */
const FLUSH_MILLISECONDS = 5000
/**
 * One relay at a time works a schema, under an advisory lock held by its connection and freed with it. It reads the lowest rows, publishes
 * them, and deletes what the bus acknowledged: never a cursor over ids, which would skip a transaction that commits late.
 * It also forgets the marks of events handled long ago, and old dead letters, some in each round.
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
      await rounds.rest()
      await rounds.run()
    },
    async close() {
      interval.stop()
      await rounds.rest()
      if (mover.isOpen()) await Promise.race([rounds.run(), pause(FLUSH_MILLISECONDS, undefined, { ref: false })])
      mover.stop()
      await rounds.close()
      await mover.close()
    },
  }
}
