import { after } from '@rookery/handles'

/**
 * The result of work, or undefined if it fails or takes longer than the given milliseconds. A result that arrived in time but was not read
 * yet still counts.
 */
export const withTimeout = <Answer>(work: Promise<Answer>, milliseconds: number): Promise<Answer | undefined> =>
  new Promise((resolve, reject) => {
    // Expires only after pending input was read.
    const expire = () => after(0, () => resolve(undefined), { onError: reject })
    const timer = after(milliseconds, expire, { onError: reject })
    const finish = (answer: Answer | undefined) => {
      timer.stop()
      resolve(answer)
    }
    work.then(finish, () => finish(undefined))
  })
