import { type Arrival, laterOf, type Position } from '@rookery/ephemeral'
import type { Unresumable } from '../history/history.ts'

/** The maximum skew between the clocks of the store and of this process, in milliseconds. */
const MAX_SKEW = 5000
/** More than any store's sequence reaches within a millisecond. */
const LAST_OF_A_MILLISECOND = 999_999_999

/** Why a stream cannot be resumed after a position, before the history is consulted; undefined if it may. */
export const objectionTo = (
  after: Position | undefined,
  { arrival, head, now }: { arrival: Arrival | undefined; head: Position; now: number },
): Unresumable | undefined => {
  if (!after || after.epoch !== head.epoch) return 'unknown'
  // Positions in the future are invalid. One beyond the head may come from a process that has read further.
  if (after.time > Math.max(arrival?.at ?? now + MAX_SKEW, head.time)) return 'unknown'
  // Before that, nothing was published for the account.
  if (arrival && after.time < arrival.coveredSince - 1) return 'expired'
  return undefined
}

/** The position at which a stream opens: everything after it will be sent. */
export const openingPosition = (delivered: Position, arrival: Arrival | undefined): Position =>
  // Before everything in the millisecond of the arrival.
  arrival ? laterOf(delivered, { epoch: delivered.epoch, time: arrival.at - 1, sequence: LAST_OF_A_MILLISECOND }) : delivered
