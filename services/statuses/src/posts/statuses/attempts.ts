import { Failure } from '@rookery/failures'

/** Others came between. */
export const conflict = () => new Failure('conflict', 'Conflict during update, please try again')

/**
 * Attempts what others may come between, until something comes of it; `attempt` is told how many there were before.
 * @throws Failure conflict after `max` attempts
 */
export const inAttempts = async <Made>(max: number, attempt: (before: number) => Promise<Made | undefined>): Promise<Made> => {
  for (let before = 0; before < max; before++) {
    const made = await attempt(before)
    if (made !== undefined) return made
  }
  throw conflict()
}

/** What work comes to, or undefined where it failed so that another attempt may succeed. */
export const unless = <Made>(mayTryAgain: (error: unknown) => boolean, work: Promise<Made>): Promise<Made | undefined> =>
  work.catch((error: unknown) => {
    if (!mayTryAgain(error)) throw error
    return undefined
  })
