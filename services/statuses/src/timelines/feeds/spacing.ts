import { latest } from '@rookery/cache'
import type { Order } from '@rookery/database'
import { idAtTime } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { Look, Seen } from './look.rules.ts'

/** Maximum readers whose spacing is cached. */
const MAX_READERS = 10_000
/** The factor by which a guess exceeds the spacing. */
const MARGIN = 1.25
/** A past scan of up to this ratio in size still predicts where this one ends: the statement reads up to four times as many, some of them new. */
const MAX_SIZE_RATIO = 3

/** A scan, and the last id it saw; '0' if it saw everything. */
type Past = { below: string; size: number; to: string }

/** The mean distance between two statuses, the last scan, and the last one from the top. */
type Known = { gap: number; last: Past; newest: Past | undefined }

/**
 * The distance between a reader's candidates, by the last scan. It predicts where the next scan ends, so that one index scan reads everything up to
 * there. A wrong guess costs time but changes no result.
 */
export type Spacing = {
  /** The scan with a guess, if one can be made. */
  guess(reader: string, order: Order, look: Look): Look
  /** Records the extent of a scan. */
  note(reader: string, order: Order, look: Look, seen: Seen): void
}

/** Caches the spacing of the latest readers. Ids are numbers here, which is precise enough. */
export const keepSpacing = (clock: Clock): Spacing => {
  const known = latest<Known>(MAX_READERS)
  const now = () => Number(idAtTime(clock.now()))
  const topOf = ({ below }: Look) => Math.min(Number(below), now())
  const isNewest = ({ below }: Look) => Number(below) >= now()
  const idOf = (guessed: number) => BigInt(Math.max(0, Math.round(guessed))).toString()
  const isReusable = (look: Look, past: Past | undefined): past is Past =>
    past !== undefined && (past.to === '0' || (past.size >= look.size && past.size <= MAX_SIZE_RATIO * look.size))

  /** The same part ends where it did last time, even with newer statuses; another part ends by the spacing. */
  const downTo = (look: Look, { gap, last, newest }: Known): string => {
    if (isNewest(look) && isReusable(look, newest)) return newest.to
    if (look.below === last.below && isReusable(look, last)) return last.to
    return idOf(topOf(look) - gap * look.size * MARGIN)
  }
  return {
    guess(reader, order, look) {
      const one = known.get(reader)
      if (one === undefined) return look
      if (order === 'desc') return { ...look, guess: downTo(look, one) }
      const end = Number(look.above) + one.gap * look.size * MARGIN
      return { ...look, guess: end < topOf(look) ? idOf(end) : look.below }
    },
    note(reader, order, look, { looked, lookedTo }) {
      const isAll = looked < look.size
      // An ascending scan may begin long before the first status, and one that ends at a bound says nothing about what is beyond it.
      if (order === 'asc' || (isAll && look.above !== '0')) return
      const last = { below: look.below, size: look.size, to: isAll ? '0' : (lookedTo ?? '0') }
      const gap = (topOf(look) - Number(last.to)) / Math.max(1, looked)
      known.set(reader, { gap, last, newest: isNewest(look) ? last : known.get(reader)?.newest })
    },
  }
}
