import { after } from '@rookery/handles'

/**
 * The result of work, or undefined when it fails or takes longer than so many milliseconds. A result that has arrived and waits to be read
 * is in time.
 */
export const inTime = <Answer>(work: Promise<Answer>, milliseconds: number): Promise<Answer | undefined> =>
  new Promise((resolve, reject) => {
    // Once what has arrived meanwhile was read.
    const expire = () => after(0, () => resolve(undefined), { onError: reject })
    const timer = after(milliseconds, expire, { onError: reject })
    const finish = (answer: Answer | undefined) => {
      timer.stop()
      resolve(answer)
    }
    work.then(finish, () => finish(undefined))
  })
