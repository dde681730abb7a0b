import { after } from '@rookery/handles'

/** The result of work, or that of `late` if the work takes longer than the given milliseconds. @throws what the work throws in time */
export const within = <Result, Late>(milliseconds: number, work: Promise<Result>, late: () => Late): Promise<Result | Late> =>
  new Promise((resolve, reject) => {
    const timer = after(milliseconds, () => resolve(late()), { onError: reject })
    void work.then(resolve, reject).finally(() => timer.stop())
  })
