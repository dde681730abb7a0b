import { randomInt, randomUUID } from 'node:crypto'

const LOW_BITS = 16n
const LOW_MASK = 0xffff
/** A millisecond's ids begin in the lower half, which leaves room for as many more. */
const FIRST_LOWS = 0x8000

/** Makes ids: decimal strings of 64 bits, milliseconds since 1970 above 16 low bits, rising within a process (beyond-the-spec 0.2). */
export type Ids = { next(): string }

/**
 * Ids after the clock given. Two processes start each millisecond at different random low bits, so a clash is rare; the primary key
 * refuses it and the writer tries again with the next.
 */
export const snowflakes = (now: () => number): Ids => {
  let lastTime = 0
  let low = 0
  return {
    next() {
      const time = now()
      if (time > lastTime) {
        lastTime = time
        low = randomInt(FIRST_LOWS)
      } else if (++low > LOW_MASK) {
        // More than the low bits hold in one millisecond, or a clock set back: go on in the next one, still rising.
        lastTime += 1
        low = 0
      }
      return ((BigInt(lastTime) << LOW_BITS) | BigInt(low)).toString()
    },
  }
}

/** The moment an id was made, in milliseconds since 1970. */
export const timeOfId = (id: string): number => Number(BigInt(id) >> LOW_BITS)

/** The lowest id of a moment, in milliseconds since 1970. */
export const idAtTime = (milliseconds: number): string => (BigInt(Math.max(0, Math.trunc(milliseconds))) << LOW_BITS).toString()

const LARGEST = 9_223_372_036_854_775_807n

/** Whether text is an id a record could have: decimal digits within a signed 64-bit integer. */
export const isId = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) <= LARGEST

/** Orders ids oldest first without parsing them. */
export const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** A UUID of version 7 (RFC 9562): sortable by time, for rows that many writers append. */
export const uuidv7 = (milliseconds: number): string => {
  const time = Math.trunc(milliseconds).toString(16).padStart(12, '0')
  // Node keeps randomness for the next hundred of these; to ask for bytes costs 10 µs each time. Its version is replaced, its variant stays.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
