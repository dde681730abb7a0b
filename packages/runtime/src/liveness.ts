import { type Bus, type ConsumerObserver, wrapHandlers } from '@rookery/events'
import { every } from '@rookery/handles'
import type { Checks } from './health.ts'

/** Detects loops of a process that are stuck, so that a supervisor can restart it. An unreachable store is not such a case. */
export type Liveness = {
  /** Watches work with a bounded duration: a run that takes longer than the timeout is stuck. */
  watch<Input extends unknown[], Result>(name: string, work: (...input: Input) => Promise<Result>): (...input: Input) => Promise<Result>
  /** Reports progress of the named work, which restarts its timeout. */
  progress(name: string): void
  /** Watches a loop that runs at an interval, by the time of its last round (performance.now()). */
  follow(name: string, lastRound: () => number): void
  /** The checks for stuck loops, by name. */
  readonly checks: Checks
  close(): void
}

const TICK_MILLISECONDS = 500
/** With an event loop this late, in milliseconds, nothing is answered in time. */
const LATE_MILLISECONDS = 5000

const stoodStill = (milliseconds: number) => `nothing was finished for ${Math.round(milliseconds / 1000)} seconds`

/** The delay of the event loop at its last tick or now, in milliseconds. */
const watchEventLoop = () => {
  let last = performance.now()
  let late = 0
  const tick = () => {
    const now = performance.now()
    late = now - last - TICK_MILLISECONDS
    last = now
  }
  const timer = every(TICK_MILLISECONDS, tick, { onError: () => {}, holdsProcess: false })
  return { late: () => Math.max(late, performance.now() - last - TICK_MILLISECONDS), close: () => timer.stop() }
}

/** Watches the event loop and the loops registered with it; one that finishes nothing for `timeoutMilliseconds` is stuck. */
export const createLiveness = ({
  timeoutMilliseconds,
  lateMilliseconds = LATE_MILLISECONDS,
}: {
  timeoutMilliseconds: number
  lateMilliseconds?: number
}): Liveness => {
  const eventLoop = watchEventLoop()
  const begun = new Map<string, Map<symbol, number>>()

  const faultOf = (since: number | undefined) => {
    const silence = since === undefined ? 0 : performance.now() - since
    return silence > timeoutMilliseconds ? stoodStill(silence) : undefined
  }
  const checks: Checks = {
    'event loop': () => {
      const late = eventLoop.late()
      return late > lateMilliseconds ? `it is ${Math.round(late / 1000)} seconds late` : undefined
    },
  }
  const runsOf = (name: string) => {
    const known = begun.get(name)
    if (known) return known
    const runs = new Map<symbol, number>()
    begun.set(name, runs)
    checks[name] = () => faultOf(runs.size > 0 ? Math.min(...runs.values()) : undefined)
    return runs
  }
  return {
    checks,
    watch(name, work) {
      const runs = runsOf(name)
      return async (...input) => {
        const run = Symbol(name)
        runs.set(run, performance.now())
        try {
          return await work(...input)
        } finally {
          runs.delete(run)
        }
      }
    },
    progress(name) {
      const runs = runsOf(name)
      for (const run of runs.keys()) runs.set(run, performance.now())
    },
    follow(name, lastRound) {
      checks[name] = () => faultOf(lastRound())
    },
    close: eventLoop.close,
  }
}

const nameOf = (consumer: string) => `consumer ${consumer}`

/** A consumer observer that counts a failed event as progress too: it is retried, or stored as a dead letter. */
export const progressing = (observer: ConsumerObserver, liveness: Liveness): ConsumerObserver => ({
  handled: (...reported) => observer.handled(...reported),
  failed(consumer) {
    liveness.progress(nameOf(consumer))
    observer.failed(consumer)
  },
})

/** A bus that watches its consumers while they handle messages. */
export const watchedBus = (bus: Bus, liveness: Liveness): Bus =>
  wrapHandlers(bus, ({ consumer, handle }) => liveness.watch(nameOf(consumer), handle))
