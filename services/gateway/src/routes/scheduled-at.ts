import { Failure } from '@rookery/failures'
import { momentOf } from '../http/moment.ts'

/** The scheduled time of a status, in milliseconds since 1970; undefined if absent. @throws Failure invalid (beyond-the-spec 1.4) */
export const scheduledAt = (typed: string | undefined): number | undefined => {
  if (!typed) return undefined
  const at = momentOf(typed)
  if (at === undefined) throw new Failure('invalid', 'Invalid date supplied')
  return at
}
