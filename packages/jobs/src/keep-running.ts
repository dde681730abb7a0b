import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { after, every, sleep } from '@rookery/handles'
import type { Runner, WorkerEvents } from 'graphile-worker'

const RESTART_MILLISECONDS = 500
const MAX_FAILURES = 10
const ITS_EXIT_CODE = 57
/** A pool that has been shutting down with no job running for this long, in milliseconds, is stuck. */
const ENDING_MILLISECONDS = 5000
const LOOKS_WHILE_ENDING = 10

type KeptRunning = {
  begin: () => Promise<Runner>
  /** The events of the pools that `begin` starts. */
  events: WorkerEvents
  onError: (error: unknown) => void
  /** A heartbeat: called whenever the runner looked for jobs, successfully or not, and whenever a job began or ended. */
  onSign: () => void
  /** Whether one of its jobs is running. */
  isAtWork: () => boolean
}

/**
 * Calls `end` for a runner that cannot recover: one whose first look for jobs failed keeps that failure forever, and only a new runner
 * helps. Later failures are transient, unless there are many in a row. Returns a function to call for a new runner.
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
    // After all workers have handled the failure: one that is ended earlier writes it to the console. On each failure, not only the first:
    // that may be a late one of the previous runner, while the next one is not there to be ended.
    if (failures >= (hasLooked ? MAX_FAILURES : 1)) after(0, end, { onError: () => {} })
  })
  return () => {
    hasLooked = false
    failures = 0
  }
}

/**
 * Emits `pool:release` for a pool whose shutdown is stuck: graphile-worker 0.18 counts the ends of running jobs, and counts wrongly after
 * one that it could not record, e.g. when Postgres goes away while several jobs run.
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
 * Restarts graphile-worker until it is stopped: it ends itself, and sets an exit code, when new tables appear in its database, because it
 * takes another service's tables for its own.
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
    // The stop came during its start, when there was nothing to end.
    if (stopping.signal.aborted) void current.stop().catch(() => {})
    await Promise.race([current.promise, released])
    // Its pool may have ended without its cron, which this ends too. A runner that has already ended rejects.
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
      await sleep(RESTART_MILLISECONDS, stopping.signal)
    }
  }
  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      // It may have ended by itself, or be stuck: the watch notices its end in any case.
      void runner?.stop().catch(() => {})
      await watching
    },
  }
}
