import { isAfter, type Position } from '@rookery/ephemeral'

/** How far this process is in the log. */
export type Progress = {
  /** Up to here it is settled which open streams get each message. */
  readonly begun: Position
  /** Up to here everything was sent. */
  readonly delivered: Position
}

/** Nothing of the log was read. */
export const createProgress = () => {
  let progress: Progress | undefined
  return {
    current: () => progress,
    /** Everything up to here counts as delivered. */
    restart(from: Position) {
      progress = { begun: from, delivered: from }
    },
    /** Positions of a log that was lost meanwhile count for nothing. */
    advance(part: keyof Progress, position: Position) {
      const reached = progress?.[part]
      if (progress && reached?.epoch === position.epoch && isAfter(position, reached)) progress = { ...progress, [part]: position }
    },
  }
}
