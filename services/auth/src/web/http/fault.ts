import { Failure, type FailureKind, HTTP_STATUSES, isOutage } from '@rookery/failures'
import { LimitExceeded } from '@rookery/http/limits'
import type { FaultName } from '../html/index.ts'

/** The OAuth error code and description, for app developers. */
type OAuthWords = { code: string; description: string }

type Options = { oauth?: OAuthWords | undefined; retryAfterSeconds?: number | undefined }

/** An error that is shown as a page. */
export class PageFault extends Error {
  readonly fault: FaultName
  readonly status: number
  readonly oauth: OAuthWords | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(fault: FaultName, status: number, options: Options = {}) {
    super(options.oauth?.description ?? fault)
    this.name = 'PageFault'
    this.fault = fault
    this.status = status
    this.oauth = options.oauth
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

const OF_FAILURES: Record<FailureKind, FaultName> = {
  malformed: 'invalid_request',
  unauthenticated: 'expired',
  forbidden: 'closed',
  not_found: 'not_found',
  conflict: 'stale_form',
  invalid: 'invalid_request',
  exhausted: 'throttled',
  broken: 'server_error',
  unavailable: 'unavailable',
}

const faultOfKind = (kind: FailureKind, options?: Options) => new PageFault(OF_FAILURES[kind], HTTP_STATUSES[kind], options)

/** The page fault of an error; undefined for an unexpected one. */
export const pageFaultOf = (error: unknown): PageFault | undefined => {
  if (error instanceof PageFault) return error
  if (error instanceof LimitExceeded) return faultOfKind('exhausted', { retryAfterSeconds: error.retryAfterSeconds })
  if (error instanceof Failure) {
    const oauth = error.kind === 'malformed' ? { code: 'invalid_request', description: error.message } : undefined
    return faultOfKind(error.kind, { oauth })
  }
  if (error instanceof URIError) return faultOfKind('not_found')
  if (isOutage(error)) return faultOfKind('unavailable')
  // The error of oidc-provider for an interaction that has ended or belongs to another browser.
  return (error as { name?: string }).name === 'SessionNotFound' ? new PageFault('expired', 400) : undefined
}
