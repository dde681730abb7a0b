import type { Call } from '@rookery/rpc'

const MILLISECONDS = 15_000

/** A call outside of any request, with a deadline of its own; it also aborts with the signal of its work, if there is one. */
export const ownCall = (signal?: AbortSignal): Call => {
  const deadline = AbortSignal.timeout(MILLISECONDS)
  return { deadline: Date.now() + MILLISECONDS, signal: signal ? AbortSignal.any([deadline, signal]) : deadline, trace: 'federation' }
}
