import { after } from '@rookery/handles'

/** The answer, or undefined when it does not come in time or never. An answer that waits to be read counts as come. */
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
