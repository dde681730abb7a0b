/** A clock, injected so that tests can move it. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() }
