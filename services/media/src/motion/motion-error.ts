/** Why a video or audio file cannot be processed. */
export const MOTION_FAILURES = [
  'unreadable',
  'cut',
  'outside_limits',
  'too_slow',
  'too_large',
  'too_much_memory',
  'killed',
  'missing',
  'late',
] as const
export type MotionFailure = (typeof MOTION_FAILURES)[number]

/** The error of a faulty file: a retry would fail alike. */
export class MotionError extends Error {
  readonly reason: MotionFailure

  constructor(reason: MotionFailure, cause: string) {
    super(`The film or recording is ${reason.replaceAll('_', ' ')}`, { cause })
    this.name = 'MotionError'
    this.reason = reason
  }
}
