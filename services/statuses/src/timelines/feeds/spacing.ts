import { latest } from '@rookery/cache'
import type { Order } from '@rookery/database'
import { idAtTime } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { Look, Seen } from './look.rules.ts'

/** Readers of whom it is kept how far apart their statuses lie. */
const MAX_READERS = 10_000
/** How much further is looked than so many statuses reached last time. */
const MARGIN = 1.25

/**
 * How far apart the statuses lie that concern a reader, as these were looked through last. From it follows as far as where the next look will go, so
 * that what lies there is read at once. It is a guess, which costs time where it is wrong and changes nothing.
 */
export type Spacing = {
  /** The look with a guess, where one can be made. */
  guess(reader: string, order: Order, look: Look): Look
  /** Notes what a look saw. */
  note(reader: string, order: Order, look: Look, seen: Seen): void
}

/** Keeps it of those who were looked for last; ids are numbers here, which is close enough. */
export const keepSpacing = (clock: Clock): Spacing => {
  const known = latest<number>(MAX_READERS)
  const newest = () => Number(idAtTime(clock.now()))
  const topOf = ({ below }: Look) => Math.min(Number(below), newest())
  const idOf = (guessed: number) => BigInt(Math.max(0, Math.round(guessed))).toString()
  return {
    guess(reader, order, look) {
      const apart = known.get(reader)
      if (apart === undefined) return look
      const distance = apart * look.size * MARGIN
      if (order === 'desc') return { ...look, guess: idOf(topOf(look) - distance) }
      const end = Number(look.above) + distance
      return { ...look, guess: end < topOf(look) ? idOf(end) : look.below }
    },
    note(reader, order, look, { looked, lookedTo }) {
      const isAll = looked < look.size
      // What was read upwards may begin long before the first status, and what ends at a bound says nothing of what lies behind.
      if (order === 'asc' || (isAll && look.above !== '0')) return
      known.set(reader, (topOf(look) - (isAll ? 0 : Number(lookedTo))) / Math.max(1, looked))
    },
  }
}
