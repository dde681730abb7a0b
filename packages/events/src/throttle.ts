import { AsyncResource } from 'node:async_hooks'
import { after, soon, type Timer } from '@rookery/handles'

/**
 * Runs work at most once in a while: at once when it has not run for a while, else when the while is over. Many calls within it make one
 * run.
 */
export type Throttle = { run(): void; readonly isWaiting: boolean; stop(): void }

/**
 * A throttle that lets `work` start at most once in so many milliseconds. It runs in the context the throttle was made in, not in that of a
 * caller: work of many belongs to no request's trace. `onError` gets what it throws.
 */
export const throttle = (milliseconds: number, work: () => unknown, onError: (error: unknown) => void): Throttle => {
  const start = AsyncResource.bind(work)
  let timer: Timer | undefined
  // By a clock that no one sets: else work would wait as long as the machine's was set back.
  let lastRun = Number.NEGATIVE_INFINITY
  return {
    run() {
      if (timer) return
      const wait = Math.max(0, lastRun + milliseconds - performance.now())
      const begin = () => {
        timer = undefined
        lastRun = performance.now()
        return start()
      }
      // A timer of no time at all takes a millisecond.
      timer = wait > 0 ? after(wait, begin, { onError }) : soon(begin, { onError })
    },
    get isWaiting() {
      return timer !== undefined
    },
    stop() {
      timer?.stop()
      timer = undefined
    },
  }
}
