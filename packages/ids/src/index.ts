import { randomInt, randomUUID } from 'node:crypto'

const LOW_BITS = 16n
const LOW_MASK = 0xffff
/** Ids of a millisecond start in the lower half, which leaves room for at least as many more. */
const FIRST_LOWS = 0x8000

/** Generates ids: decimal strings of 64 bits, milliseconds since 1970 above 16 low bits, rising within a process (beyond-the-spec 0.2). */
export type Ids = { next(): string }

/**
 * Ids by the given clock. Processes start each millisecond at random low bits, so clashes are rare; the primary key refuses one and the
 * writer retries with the next id.
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
        // The low bits overflowed, or the clock was set back: continue in the next millisecond, still rising.
        lastTime += 1
        low = 0
      }
      return ((BigInt(lastTime) << LOW_BITS) | BigInt(low)).toString()
    },
  }
}

/** The time an id was made, in milliseconds since 1970. */
export const timeOfId = (id: string): number => Number(BigInt(id) >> LOW_BITS)

const LARGEST = 9_223_372_036_854_775_807n

/** The lowest id of a time in milliseconds since 1970; the largest id for the times after the year 6429, which have none. */
export const idAtTime = (milliseconds: number): string => {
  const id = BigInt(Math.max(0, Math.trunc(milliseconds))) << LOW_BITS
  return (id < LARGEST ? id : LARGEST).toString()
}

/** Whether a text is a valid id: decimal digits within a signed 64-bit integer. */
export const isId = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) <= LARGEST

/** Orders ids oldest first without parsing them. */
export const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** A version 7 UUID (RFC 9562): sortable by time, for tables that many writers append to. */
export const uuidv7 = (milliseconds: number): string => {
  const time = Math.trunc(milliseconds).toString(16).padStart(12, '0')
  // randomUUID draws on a buffer of random bytes, where randomBytes costs 10 µs per call. The version is replaced, the variant stays.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
