import { AsyncResource } from 'node:async_hooks'
import { after, immediate, type Timer } from '@rookery/handles'

/**
 * Runs work at most once per interval: at once if the last run is long enough ago, else at the end of the interval. Many calls within an
 * interval cause one run.
 */
export type Throttle = { run(): void; readonly isWaiting: boolean; stop(): void }

/**
 * Throttles `work` to one start per interval, in milliseconds. It runs in the async context the throttle was created in, not in a caller's:
 * work on behalf of many belongs to no request's trace. `onError` gets its errors.
 */
export const throttle = (milliseconds: number, work: () => unknown, onError: (error: unknown) => void): Throttle => {
  const start = AsyncResource.bind(work)
  let timer: Timer | undefined
  // On a monotonic clock: after the machine's clock is set back, work must not wait that long.
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
      // A timer of 0 ms would take a millisecond.
      timer = wait > 0 ? after(wait, begin, { onError }) : immediate(begin, { onError })
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
