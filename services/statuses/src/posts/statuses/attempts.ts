import { Failure } from '@rookery/failures'

/** The failure after concurrent requests defeated every attempt. */
export const conflict = () => new Failure('conflict', 'Conflict during update, please try again')

/**
 * Retries an attempt that concurrent requests may defeat, until it gives a result; `attempt` gets the number of earlier attempts.
 * @throws Failure conflict after `max` attempts
 */
export const inAttempts = async <Made>(max: number, attempt: (before: number) => Promise<Made | undefined>): Promise<Made> => {
  for (let before = 0; before < max; before++) {
    const made = await attempt(before)
    if (made !== undefined) return made
  }
  throw conflict()
}

/** The result of work; undefined after an error that another attempt may avoid. */
export const unless = <Made>(mayTryAgain: (error: unknown) => boolean, work: Promise<Made>): Promise<Made | undefined> =>
  work.catch((error: unknown) => {
    if (!mayTryAgain(error)) throw error
    return undefined
  })
