/** Memoizes an async function; a failure is not cached. */
export const memoizeAsync = <Result>(run: () => Promise<Result>): (() => Promise<Result>) => {
  let running: Promise<Result> | undefined
  return () => {
    running ??= run().catch((error) => {
      running = undefined
      throw error
    })
    return running
  }
}
