import { throttle } from './throttle.ts'

/** Runs a work function in rounds, one at a time. */
export type Rounds = {
  /** Requests a round. Cheap: many calls within a moment cause one round. */
  wake(): void
  /** Runs a round, or joins the current one; resolves when it has ended. */
  run(): Promise<void>
  /** Cancels a waiting round; resolves when the current one has ended. */
  finishCurrent(): Promise<void>
  isIdle(): boolean
  /** Starts no further round; resolves when the current one has ended. */
  close(): Promise<void>
}

/** Rounds at a minimum interval in milliseconds. `round` resolves to whether there is more to do at once. */
export const createRounds = (round: () => Promise<boolean>, given: { milliseconds: number; onError: (error: unknown) => void }): Rounds => {
  const { milliseconds, onError } = given
  let running: Promise<void> | undefined
  let isWoken = false
  let isClosed = false

  const run = (): Promise<void> => {
    if (running) return running
    isWoken = false
    // This round does the work of the waiting one.
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
  const finishCurrent = async () => {
    waiting.stop()
    await running
  }

  return {
    run,
    finishCurrent,
    isIdle: () => !isWoken && !running && !waiting.isWaiting,
    wake() {
      if (isClosed) return
      isWoken = true
      if (!running) waiting.run()
    },
    close() {
      isClosed = true
      return finishCurrent()
    },
  }
}
