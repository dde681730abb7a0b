import { setImmediate as turn } from 'node:timers/promises'

/**
 * Runs work in short slices, one per turn of the event loop, so that other work of the process, such as answering pages when all services
 * are one process, comes in between.
 */
export type Slices = {
  /** Runs `act` after those queued before it. Resolves or rejects with its result. */
  run<Result>(act: () => Result): Promise<Result>
  /** How many acts are queued. */
  waiting(): number
}

/**
 * The length of a slice, in milliseconds. Node accepts one connection per turn of its loop, so a long slice also delays connecting clients.
 */
const SLICE_MILLISECONDS = 1

/**
 * Starts with an empty queue. Callers bound it: each connection queues a few acts at most. An act that takes longer than a slice has one by
 * itself.
 */
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
