import { isOutage } from '@rookery/failures'
import type { Logger } from './logger.ts'

/** How long a store that fails one call after the other is logged once. */
const INCIDENT_MILLISECONDS = 60_000

/**
 * Logs what fails calls though nothing was wrong with them: a fault of ours each time, a store that is away, full or read-only once a minute
 * for each cause. Its callers hear only that the server is unavailable.
 */
export const callFaults = (log: Pick<Logger, 'error'>, now: () => number = () => performance.now()) => {
  const logged = new Map<string, number>()
  const isKnown = (error: unknown) => {
    const { code, message } = error as { code?: string; message?: string }
    // By the code: messages name files, blocks and ports.
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
