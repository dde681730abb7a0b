import type { Call } from './definition.ts'

/**
 * A call outside of any request, which ends after some seconds, and with the signal of its work if there is one. `trace` names the work in
 * logs.
 */
export const callWithin = (seconds: number, trace = '', signal?: AbortSignal): Call => {
  const timeout = AbortSignal.timeout(seconds * 1000)
  return { deadline: Date.now() + seconds * 1000, signal: signal ? AbortSignal.any([timeout, signal]) : timeout, trace }
}
