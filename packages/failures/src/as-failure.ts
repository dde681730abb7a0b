import { Failure, unavailable } from './failure.ts'
import { isOutage } from './outage.ts'

/** The failure a caller may see: a Failure as it is, a store unreachable as `unavailable`, anything else as `broken` without its cause. */
export const asFailure = (error: unknown): Failure => {
  if (error instanceof Failure) return error
  return isOutage(error) ? unavailable(error) : new Failure('broken', 'Something went wrong on our end', { cause: error })
}
