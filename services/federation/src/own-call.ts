import type { Call } from '@rookery/rpc'

const MILLISECONDS = 15_000

/** A call that no request waits for, with a deadline of its own; it ends with the work when that has a signal. */
export const ownCall = (signal?: AbortSignal): Call => {
  const deadline = AbortSignal.timeout(MILLISECONDS)
  return { deadline: Date.now() + MILLISECONDS, signal: signal ? AbortSignal.any([deadline, signal]) : deadline, trace: 'federation' }
}
