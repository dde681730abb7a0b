import { Failure, type FailureKind, isOutage } from '@rookery/failures'
import type { FaultName } from '../pages/index.ts'

/** An error as OAuth names and describes it, for the makers of apps. */
export type OAuthWords = { code: string; description: string }

type Options = { oauth?: OAuthWords | undefined; retryAfterSeconds?: number | undefined }

/** Why a page cannot be shown. */
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

const OF_FAILURES: Record<FailureKind, [FaultName, number]> = {
  malformed: ['invalid_request', 400],
  unauthenticated: ['expired', 401],
  forbidden: ['closed', 403],
  not_found: ['not_found', 404],
  conflict: ['stale_form', 409],
  invalid: ['invalid_request', 422],
  exhausted: ['throttled', 429],
  broken: ['server_error', 500],
  unavailable: ['unavailable', 503],
}

/** The fault a page shows for any error; undefined for what nobody expected. */
export const pageFaultOf = (error: unknown): PageFault | undefined => {
  if (error instanceof PageFault) return error
  if (error instanceof Failure) {
    const oauth = error.kind === 'malformed' ? { code: 'invalid_request', description: error.message } : undefined
    return new PageFault(...OF_FAILURES[error.kind], { oauth })
  }
  if (isOutage(error)) return new PageFault(...OF_FAILURES.unavailable)
  // The provider's word for an interaction that is over, or belongs to another browser.
  return (error as { name?: string }).name === 'SessionNotFound' ? new PageFault('expired', 400) : undefined
}
