import { setTimeout as pause } from 'node:timers/promises'
import type { Runner } from 'graphile-worker'

const RESTART_MILLISECONDS = 500
const MOST_FAILURES = 10
const ITS_EXIT_CODE = 57

/**
 * Ends a runner that fails to look for jobs again and again: one whose first look failed remembers that failure for ever, and only another
 * runner can do better.
 */
const endWhenStuck = (runner: Runner, onSign: () => void) => {
  let failures = 0
  const forget = () => {
    failures = 0
    onSign()
  }
  runner.events.on('worker:getJob:empty', forget)
  runner.events.on('job:start', forget)
  runner.events.on('job:complete', onSign)
  runner.events.on('worker:getJob:error', () => {
    onSign()
    if (++failures === MOST_FAILURES) runner.stop().catch(() => {})
  })
  return runner
}

export type KeptRunning = {
  begin: () => Promise<Runner>
  onError: (error: unknown) => void
  /** Told whenever the runner looked for jobs, in vain or not, and whenever one began or ended. */
  onSign: () => void
}

/**
 * graphile-worker ends itself, and sets an exit code, when it hears of new tables in its database: it takes another service's for its own.
 * It is started again for as long as it is wanted.
 */
export const keepRunning = async ({ begin, onError, onSign }: KeptRunning) => {
  const stopping = new AbortController()
  const start = async () => endWhenStuck(await begin(), onSign)
  let runner: Runner | undefined = await start()
  const watch = async () => {
    while (!stopping.signal.aborted) {
      try {
        runner ??= await start()
        await runner.promise
      } catch (error) {
        onError(error)
      }
      if (stopping.signal.aborted) return
      runner = undefined
      if (process.exitCode === ITS_EXIT_CODE) process.exitCode = undefined
      await pause(RESTART_MILLISECONDS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      // It may have given up by itself a moment ago.
      await runner?.stop().catch(() => {})
      await watching
    },
  }
}
