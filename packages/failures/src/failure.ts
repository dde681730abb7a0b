/** The kinds of failures. Each edge of a process translates a kind by one table: rpc/codes.ts to gRPC, http.ts to HTTP. */
export const FAILURE_KINDS = [
  'malformed',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'invalid',
  'exhausted',
  'broken',
  'unavailable',
] as const

export type FailureKind = (typeof FAILURE_KINDS)[number]

/** One invalid parameter: a code as in the contract (ERR_BLANK), and a description for people. */
export type Violation = { field: string; code: string; description: string }

/** An error for the caller: a kind, a message, and a cause that is never sent. */
export class Failure extends Error {
  readonly kind: FailureKind
  readonly violations: readonly Violation[]

  constructor(kind: FailureKind, message: string, options: { cause?: unknown; violations?: readonly Violation[] } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Failure'
    this.kind = kind
    this.violations = options.violations ?? []
  }
}

/** The failure for a missing record, and for another's private one alike (spec, Errors 6). */
export const notFound = (cause?: string): Failure => new Failure('not_found', 'Record not found', { cause })

/** The value, unless it is null or undefined. @throws Failure not_found */
export const orNotFound = <T>(value: T | null | undefined, cause?: string): T => {
  if (value === null || value === undefined) throw notFound(cause)
  return value
}

/** The failure for values that break rules: `Validation failed: a, b` (spec, Errors 2). */
export const invalid = (...faults: string[]): Failure => new Failure('invalid', `Validation failed: ${faults.join(', ')}`)

/** The failure for an act that policy forbids (spec, Errors 1). */
export const notAllowed = (cause?: string): Failure => new Failure('forbidden', 'This action is not allowed', { cause })

/** The failure for a part of the server that is unreachable (spec, Errors 1). */
export const unavailable = (cause?: unknown): Failure => new Failure('unavailable', 'Service Unavailable', { cause })
