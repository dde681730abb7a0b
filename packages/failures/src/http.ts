import type { FailureKind } from './failure.ts'

/** The one table kind → HTTP status, for every edge that speaks HTTP (spec, Errors 5). */
export const HTTP_STATUSES: Readonly<Record<FailureKind, number>> = {
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

/** The value of WWW-Authenticate for a 401 (RFC 6750, 3; beyond-the-spec 1.4). */
export const bearerChallenge = (description: string, code = 'invalid_token'): string =>
  `Bearer realm="Rookery", error="${code}", error_description="${description}"`
