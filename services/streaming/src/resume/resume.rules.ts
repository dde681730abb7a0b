import { type Arrival, laterOf, type Position } from '@rookery/ephemeral'
import type { Unresumable } from '../history/history.ts'

/** How far the clock of the store may be ahead of that of this process, in milliseconds. */
const MAX_SKEW = 5000
/** More than any store counts within a millisecond. */
const LAST_OF_A_MILLISECOND = 999_999_999

/** Why a stream cannot go on after a position, as far as the history need not be asked; undefined when it may. */
export const objectionTo = (
  after: Position | undefined,
  { arrival, head, now }: { arrival: Arrival | undefined; head: Position; now: number },
): Unresumable | undefined => {
  if (!after || after.epoch !== head.epoch) return 'unknown'
  // No one was given a position of the future. One beyond the head was given by a process that has read further.
  if (after.time > Math.max(arrival?.at ?? now + MAX_SKEW, head.time)) return 'unknown'
  // Until then nothing was published for the account.
  if (arrival && after.time < arrival.coveredSince - 1) return 'expired'
  return undefined
}

/** Where a stream that opens now begins: what comes after it will be sent. */
export const openingPosition = (delivered: Position, arrival: Arrival | undefined): Position =>
  // Before everything of the millisecond of the arrival.
  arrival ? laterOf(delivered, { epoch: delivered.epoch, time: arrival.at - 1, sequence: LAST_OF_A_MILLISECOND }) : delivered
