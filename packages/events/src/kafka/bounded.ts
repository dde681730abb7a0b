import { after } from '@rookery/handles'

/** @throws Error when the work takes longer than so many milliseconds; `onLate` runs first */
export const bounded = <Result>(
  work: Promise<Result>,
  milliseconds: number,
  onLate: (reason: string) => void = () => {},
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const expire = () => {
      const reason = `the brokers did not answer within ${milliseconds / 1000} seconds`
      onLate(reason)
      reject(new Error(reason))
    }
    const late = after(milliseconds, expire, { onError: reject })
    void work.then(resolve, reject).finally(late.stop)
  })

/** How long brokers are waited for at the end, in milliseconds: dead ones do not say goodbye. */
const GOODBYE_MILLISECONDS = 2000

/** Waits for the brokers a moment at most, then cuts what is left. Never rejects. */
export const sayGoodbye = async (goodbye: Promise<unknown>, cut: (reason: string) => void): Promise<void> => {
  await bounded(goodbye, GOODBYE_MILLISECONDS).catch(() => {})
  cut('closed')
}
