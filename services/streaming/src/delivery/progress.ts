import { isAfter, type Position } from '@rookery/ephemeral'

/** The progress of this process in the log. */
export type Progress = {
  /** For messages up to here it is decided which open streams get them. */
  readonly begun: Position
  /** Everything up to here was sent. */
  readonly delivered: Position
}

/** Starts without progress. */
export const createProgress = () => {
  let progress: Progress | undefined
  return {
    current: () => progress,
    /** Treats everything up to here as delivered. */
    restart(from: Position) {
      progress = { begun: from, delivered: from }
    },
    /** Positions of a previous epoch are ignored. */
    advance(part: keyof Progress, position: Position) {
      const reached = progress?.[part]
      if (progress && reached?.epoch === position.epoch && isAfter(position, reached)) progress = { ...progress, [part]: position }
    },
  }
}
