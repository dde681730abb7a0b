import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { FailureDetail } from '@rookery/contracts/common'
import { asFailure, FAILURE_KINDS, Failure, type FailureKind, unavailable } from '@rookery/failures'
import { bytesOf } from './wire.ts'

/** The table of failure kinds and gRPC statuses. */
const CODES: Record<FailureKind, status> = {
  malformed: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  conflict: status.ABORTED,
  invalid: status.FAILED_PRECONDITION,
  exhausted: status.RESOURCE_EXHAUSTED,
  broken: status.INTERNAL,
  unavailable: status.UNAVAILABLE,
}

const DETAIL = 'failure-bin'
const isKind = (text: string): text is FailureKind => (FAILURE_KINDS as readonly string[]).includes(text)

/** Converts a failure to its message. */
export const detailOf = ({ kind, message, violations }: Failure): FailureDetail =>
  FailureDetail.fromPartial({ kind, message, violations: [...violations] })

/** Converts a message to its failure. */
export const failureOfDetail = ({ kind, message, violations }: FailureDetail, cause?: unknown): Failure =>
  isKind(kind) ? new Failure(kind, message, { violations, cause }) : asFailure(cause)

/** A failure as a gRPC status with trailers. */
export const toWire = (failure: Failure): { code: status; details: string; metadata: Metadata } => {
  const metadata = new Metadata()
  metadata.set(DETAIL, bytesOf(FailureDetail.encode(detailOf(failure))))
  return { code: CODES[failure.kind], details: failure.message, metadata }
}

/** grpc-js's text for a stream that broke off without an answer; it has no code for that. */
const BROKE_OFF = /^Received RST_STREAM/

/** Whether a call ended without an answer: the callee died or was stopped, or the connection broke. */
export const isUnanswered = ({ code, details }: Pick<ServiceError, 'code' | 'details'>): boolean =>
  code === status.UNAVAILABLE || code === status.CANCELLED || (code === status.INTERNAL && BROKE_OFF.test(details))

/**
 * The failure behind an error of the gRPC client: the server's own, or `unavailable` when the server could not be reached in time or is
 * older than its caller.
 */
export const fromWire = (error: ServiceError): Failure => {
  const bytes = error.metadata?.get(DETAIL)[0]
  if (bytes instanceof Buffer) return failureOfDetail(FailureDetail.decode(bytes), error)
  // UNIMPLEMENTED: the callee has not been upgraded to its caller's version yet.
  const unreachable = [status.DEADLINE_EXCEEDED, status.RESOURCE_EXHAUSTED, status.UNIMPLEMENTED]
  return isUnanswered(error) || unreachable.includes(error.code) ? unavailable(error) : asFailure(error)
}
