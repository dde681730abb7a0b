import { Failure, type FailureKind, type Violation } from '@rookery/failures'

/** The one table kind → HTTP status (spec, Errors 5). */
const STATUSES: Record<FailureKind, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  invalid: 422,
  exhausted: 429,
  broken: 500,
  unavailable: 503,
}

/** A failure as the API answers it. */
export type Fault = { status: number; body: { error: string; details?: Record<string, { error: string; description: string }[]> } }

const detailsOf = (violations: readonly Violation[]) => {
  const details: Record<string, { error: string; description: string }[]> = {}
  for (const { field, code, description } of violations) details[field] = [...(details[field] ?? []), { error: code, description }]
  return details
}

/** The status and body of anything thrown; what is not a Failure says nothing of itself. */
export const faultOf = (error: unknown): Fault => {
  if (!(error instanceof Failure)) return { status: 500, body: { error: 'Something went wrong on our end' } }
  const details = error.violations.length > 0 ? { details: detailsOf(error.violations) } : {}
  return { status: STATUSES[error.kind], body: { error: error.message, ...details } }
}

/** The header by which a 401 says what token it wants (RFC 6750, 3). */
export const challengeOf = (status: number, description: string): Record<string, string> =>
  status === 401 ? { 'WWW-Authenticate': `Bearer realm="Rookery", error="invalid_token", error_description="${description}"` } : {}
