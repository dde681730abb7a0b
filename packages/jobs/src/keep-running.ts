import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { after, every, rest } from '@rookery/handles'
import type { Runner, WorkerEvents } from 'graphile-worker'

const RESTART_MILLISECONDS = 500
const MAX_FAILURES = 10
const ITS_EXIT_CODE = 57
/** A pool that is ending and has had nothing at work for so long does not find its end. */
const ENDING_MILLISECONDS = 5000
const LOOKS_WHILE_ENDING = 10

type KeptRunning = {
  begin: () => Promise<Runner>
  /** The pools that `begin` starts. */
  events: WorkerEvents
  onError: (error: unknown) => void
  /** Called whenever the runner looked for jobs, without success or not, and whenever a job began or ended. */
  onSign: () => void
  /** Whether one of its jobs runs. */
  isAtWork: () => boolean
}

/**
 * Calls `end` for a runner that cannot do its work: one whose first look for jobs failed remembers that failure forever, and only another
 * runner can do better. Later failures pass with what caused them, unless there are many in a row. Returns what to call for a new runner.
 */
const watchFailures = ({ events, onSign }: Pick<KeptRunning, 'events' | 'onSign'>, end: () => unknown): (() => void) => {
  let hasLooked = false
  let failures = 0
  const looked = () => {
    hasLooked = true
    failures = 0
    onSign()
  }
  events.on('worker:getJob:empty', looked)
  events.on('job:start', looked)
  events.on('job:complete', onSign)
  events.on('worker:getJob:error', () => {
    onSign()
    failures++
    // Once all workers have noted the failure: one that is ended before writes it to the console.
    // At each failure, not at the first alone: that may be a late one of the previous runner, while the next one is not there to be ended.
    if (failures >= (hasLooked ? MAX_FAILURES : 1)) after(0, end, { onError: () => {} })
  })
  return () => {
    hasLooked = false
    failures = 0
  }
}

/**
 * Emits `pool:release` for a pool that waits forever to end: graphile-worker 0.18 counts the ends of jobs that are under way, and counts
 * wrongly after one that it could not note, as when Postgres goes away with several jobs at work.
 */
const endStuckPools = ({ events, isAtWork, onError }: Pick<KeptRunning, 'events' | 'isAtWork' | 'onError'>) => {
  events.on('pool:gracefulShutdown', (ending) => {
    let idle = 0
    const look = () => {
      idle = isAtWork() ? 0 : idle + 1
      if (idle === LOOKS_WHILE_ENDING) events.emit('pool:release', ending)
    }
    const timer = every(ENDING_MILLISECONDS / LOOKS_WHILE_ENDING, look, { onError })
    events.once('pool:release', () => timer.stop())
  })
}

/**
 * Restarts graphile-worker for as long as it is wanted: it ends itself, and sets an exit code, when new tables appear in its database,
 * because it takes another service's for its own.
 */
export const keepRunning = async ({ begin, events, onError, onSign, isAtWork }: KeptRunning) => {
  const stopping = new AbortController()
  let runner: Runner | undefined
  const expectNew = watchFailures({ events, onSign }, () => runner?.stop())
  endStuckPools({ events, isAtWork, onError })
  const start = () => {
    expectNew()
    return begin()
  }
  runner = await start()
  /** Resolves once a runner has ended, by itself or because it was stopped. */
  const endOf = async (current: Runner) => {
    const released = once(events, 'pool:release').then(() => pause(RESTART_MILLISECONDS))
    // The stop came while it began, when there was nothing to end.
    if (stopping.signal.aborted) void current.stop().catch(() => {})
    await Promise.race([current.promise, released])
    // Its pool may have ended alone: this ends its cron as well. A runner that has ended already rejects.
    void current.stop().catch(() => {})
  }
  const watch = async () => {
    while (!stopping.signal.aborted) {
      try {
        runner ??= await start()
        await endOf(runner)
      } catch (error) {
        onError(error)
      }
      if (stopping.signal.aborted) return
      runner = undefined
      if (process.exitCode === ITS_EXIT_CODE) process.exitCode = undefined
      await rest(RESTART_MILLISECONDS, stopping.signal)
    }
  }
  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      // It may have given up by itself a moment ago, or wait forever: the watch hears of its end in any case.
      void runner?.stop().catch(() => {})
      await watching
    },
  }
}
