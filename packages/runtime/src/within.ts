/** The result of work, or that of `late` when the work takes longer than so many milliseconds. @throws what the work throws in time */
export const within = <Result, Late>(milliseconds: number, work: Promise<Result>, late: () => Late): Promise<Result | Late> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late()), milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
