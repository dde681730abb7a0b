import { unavailable } from '@rookery/failures'

/** Runs work a few at a time, in the order it came. */
export type WorkQueue = { run<Result>(work: () => Promise<Result>): Promise<Result> }

/** At most `running` at once and `waiting` behind them; who comes then is sent away. @throws Failure unavailable from `run` */
export const workQueue = (most: { running: number; waiting: number }): WorkQueue => {
  let running = 0
  const waiting: (() => void)[] = []
  const turn = () => new Promise<void>((resolve) => waiting.push(resolve))
  return {
    async run(work) {
      if (running < most.running) running++
      else if (waiting.length >= most.waiting) throw unavailable('too many pictures are waiting')
      // Whoever finishes hands its place over, so that nobody slips in between.
      else await turn()
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}
