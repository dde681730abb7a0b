import { setImmediate as turn } from 'node:timers/promises'

/**
 * Work that is done in short slices, one in each turn of the event loop: what else the process does, as answering pages where all services are
 * one process, comes in between.
 */
export type Slices = {
  /** Runs `act` after what was handed over before it. Resolves with what it returns, rejects with what it throws. */
  run<Result>(act: () => Result): Promise<Result>
  /** How many acts wait. */
  waiting(): number
}

/**
 * How long a slice is, in milliseconds. Node accepts one connection in each turn of its loop, so that a long slice also keeps clients waiting that
 * come at the same time.
 */
const SLICE_MILLISECONDS = 1

/** Nothing to do yet. What waits is bounded by its callers: each connection has a few acts at most. An act that takes longer is a slice by itself. */
export const createSlices = ({ milliseconds = SLICE_MILLISECONDS, now = () => performance.now() } = {}): Slices => {
  const waiting: (() => void)[] = []
  let isWorking = false

  const work = async () => {
    isWorking = true
    while (waiting.length > 0) {
      await turn()
      const until = now() + milliseconds
      do waiting.shift()!()
      while (waiting.length > 0 && now() < until)
    }
    isWorking = false
  }

  return {
    waiting: () => waiting.length,
    run: (act) =>
      new Promise((resolve, reject) => {
        waiting.push(() => {
          try {
            resolve(act())
          } catch (error) {
            reject(error)
          }
        })
        if (!isWorking) void work()
      }),
  }
}
