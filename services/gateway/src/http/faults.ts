import { bearerChallenge, HTTP_STATUSES, type Violation } from '@rookery/failures'
import { asFailure } from '@rookery/rpc'

/** A failure as the API answers it. */
export type Fault = { status: number; body: { error: string; details?: Record<string, { error: string; description: string }[]> } }

const detailsOf = (violations: readonly Violation[]) => {
  const details: Record<string, { error: string; description: string }[]> = {}
  for (const { field, code, description } of violations) details[field] = [...(details[field] ?? []), { error: code, description }]
  return details
}

/** The status and body of anything thrown; what is not a Failure says nothing of itself. */
export const faultOf = (error: unknown): Fault => {
  const { kind, message, violations } = asFailure(error)
  const details = violations.length > 0 ? { details: detailsOf(violations) } : {}
  return { status: HTTP_STATUSES[kind], body: { error: message, ...details } }
}

/** The header by which a 401 says what token it wants (RFC 6750, 3). */
export const challengeOf = (status: number, description: string): Record<string, string> =>
  status === 401 ? { 'WWW-Authenticate': bearerChallenge(description) } : {}
