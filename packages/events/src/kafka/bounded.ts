import { after } from '@rookery/handles'

/** Resolves with the work. @throws Error on a timeout, in milliseconds; `onLate` runs first */
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

/** How long to wait for the brokers at shutdown, in milliseconds: dead ones never answer. */
const DISCONNECT_MILLISECONDS = 2000

/** Waits briefly for a graceful disconnect, then cuts the connection. Never rejects. */
export const disconnectOrCut = async (disconnecting: Promise<unknown>, cut: (reason: string) => void): Promise<void> => {
  await bounded(disconnecting, DISCONNECT_MILLISECONDS).catch(() => {})
  cut('closed')
}
