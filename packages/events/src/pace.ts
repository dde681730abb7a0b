import { AsyncResource } from 'node:async_hooks'

/** Runs something soon and seldom: at once when it has not run for a while, else when the while is over. Many calls within it make one run. */
export type Pace = { run(): void; readonly isWaiting: boolean; stop(): void }

/**
 * A pace that lets `work` start at most once in so many milliseconds. It runs in the context the pace was made in, not in that of whoever
 * called: work of many belongs to no request's trace.
 */
export const pace = (milliseconds: number, work: () => void): Pace => {
  const start = AsyncResource.bind(work)
  let timer: NodeJS.Timeout | undefined
  let lastRun = 0
  return {
    run() {
      if (timer) return
      const wait = Math.max(0, lastRun + milliseconds - Date.now())
      timer = setTimeout(() => {
        timer = undefined
        lastRun = Date.now()
        start()
      }, wait)
    },
    get isWaiting() {
      return timer !== undefined
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
