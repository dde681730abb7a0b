import { throttle } from './throttle.ts'

/** Rounds of some work, one at a time. */
export type Rounds = {
  /** There is something to do. Cheap: many calls within a moment make one round. */
  wake(): void
  /** Resolves when a round that is under way, or begins now, has ended. */
  run(): Promise<void>
  /** Resolves when the round that is under way has ended; none that waits begins. */
  rest(): Promise<void>
  isIdle(): boolean
  /** Begins no further round; resolves as `rest`. */
  close(): Promise<void>
}

/** Rounds that begin at most every `milliseconds`. A round answers whether there is more to do at once. */
export const createRounds = (round: () => Promise<boolean>, given: { milliseconds: number; onError: (error: unknown) => void }): Rounds => {
  const { milliseconds, onError } = given
  let running: Promise<void> | undefined
  let isWoken = false
  let isClosed = false

  const run = (): Promise<void> => {
    if (running) return running
    isWoken = false
    // This round does what a waiting one was to do.
    waiting.stop()
    running = round()
      .then((hasMore) => {
        isWoken ||= hasMore
      })
      .catch(onError)
      .finally(() => {
        running = undefined
        if (isWoken) waiting.run()
      })
    return running
  }
  const waiting = throttle(milliseconds, run, onError)
  const rest = async () => {
    waiting.stop()
    await running
  }

  return {
    run,
    rest,
    isIdle: () => !isWoken && !running && !waiting.isWaiting,
    wake() {
      if (isClosed) return
      isWoken = true
      if (!running) waiting.run()
    },
    close() {
      isClosed = true
      return rest()
    },
  }
}
