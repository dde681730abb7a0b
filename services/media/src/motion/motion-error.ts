/** Why nothing could be made of a file that moves or sounds. */
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

/** The fault lies in the file: another try would end alike. */
export class MotionError extends Error {
  readonly reason: MotionFailure

  constructor(reason: MotionFailure, cause: string) {
    super(`The film or recording is ${reason.replaceAll('_', ' ')}`, { cause })
    this.name = 'MotionError'
    this.reason = reason
  }
}
