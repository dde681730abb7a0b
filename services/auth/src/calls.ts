import type { Call } from '@rookery/rpc'

/** A call to another service without a caller's deadline, with a timeout in seconds; `trace` names the work in logs. */
export const ownCall = (seconds: number, trace = ''): Call => ({
  deadline: Date.now() + seconds * 1000,
  signal: AbortSignal.timeout(seconds * 1000),
  trace,
})
