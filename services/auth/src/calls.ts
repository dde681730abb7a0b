import type { Call } from '@rookery/rpc'

/** A call to another service that an anonymous reader waits for, given up after so many seconds. */
export const ownCall = (seconds: number): Call => ({
  deadline: Date.now() + seconds * 1000,
  signal: AbortSignal.timeout(seconds * 1000),
  trace: '',
})
