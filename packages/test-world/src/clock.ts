import type { Clock } from '@rookery/runtime'

/** The machine's clock, which a test can move forward. */
export type MovableClock = Clock & { advance(milliseconds: number): void }

/** A clock that starts at the real time. */
export const movableClock = (): MovableClock => {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    advance(milliseconds) {
      ahead += milliseconds
    },
  }
}
