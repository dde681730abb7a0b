import type { Call } from '@rookery/rpc'

/** A call to another service without a caller's deadline, with a timeout in seconds. */
export const ownCall = (seconds: number): Call => ({
  deadline: Date.now() + seconds * 1000,
  signal: AbortSignal.timeout(seconds * 1000),
  trace: '',
})
