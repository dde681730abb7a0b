/** The time, handed in so that tests can move it. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() }
