import { isOutage } from '@rookery/failures'
import type { Logger } from './logger.ts'

/** How long a failing store is logged only once, in milliseconds. */
const INCIDENT_MILLISECONDS = 60_000

/**
 * Logs why valid calls failed: an unexpected error each time, a store that is unreachable, full or read-only once a minute for each cause.
 * Callers only learn that the server is unavailable.
 */
export const callFaults = (log: Pick<Logger, 'error'>, now: () => number = () => performance.now()) => {
  const logged = new Map<string, number>()
  const isKnown = (error: unknown) => {
    const { code, message } = error as { code?: string; message?: string }
    // By the code: messages contain files, blocks and ports.
    const cause = code ?? message ?? ''
    const isRecent = now() - (logged.get(cause) ?? Number.NEGATIVE_INFINITY) < INCIDENT_MILLISECONDS
    if (!isRecent) logged.set(cause, now())
    return isRecent
  }
  return (path: string, error: unknown): void => {
    if (!isOutage(error)) log.error({ err: error, path }, 'unhandled error in call')
    else if (!isKnown(error)) log.error({ err: error, path }, 'a store is unavailable: calls fail')
  }
}
