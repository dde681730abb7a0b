import type { FailureKind } from '@rookery/failures'
import { asFailure } from '@rookery/rpc'

/** The one table failure → HTTP status of this edge. */
const STATUS: Record<FailureKind, number> = {
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

/** What a client is told of something that cannot be done. */
export type Fault = { readonly status: number; readonly message: string }

/** A failure as a client may see it; anything unforeseen says nothing of its cause. */
export const faultOf = (error: unknown): Fault => {
  const { kind, message } = asFailure(error)
  return { status: STATUS[kind], message }
}

/** What a 401 carries beside its body (RFC 6750, 3). */
export const challengeOf = ({ message }: Fault): string => `Bearer realm="Rookery", error="invalid_token", error_description="${message}"`
