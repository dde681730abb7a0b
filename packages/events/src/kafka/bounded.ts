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

/** How long to wait for brokers at the end, in milliseconds: dead ones never answer. */
const DISCONNECT_MILLISECONDS = 2000

/** Waits briefly for the brokers to acknowledge the end, then cuts the connection. Never rejects. */
export const disconnectOrCut = async (disconnecting: Promise<unknown>, cut: (reason: string) => void): Promise<void> => {
  await bounded(disconnecting, DISCONNECT_MILLISECONDS).catch(() => {})
  cut('closed')
}
