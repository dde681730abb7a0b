import { Failure, unavailable } from './failure.ts'
import { isOutage } from './outage.ts'

/**
 * The failure that a caller may see: a Failure unchanged, an unreachable store as `unavailable`, anything else as `broken`, with the error
 * as its cause.
 */
export const asFailure = (error: unknown): Failure => {
  if (error instanceof Failure) return error
  return isOutage(error) ? unavailable(error) : new Failure('broken', 'Something went wrong on our end', { cause: error })
}
