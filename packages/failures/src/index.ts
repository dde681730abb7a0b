export { asFailure } from './as-failure.ts'
export {
  FAILURE_KINDS,
  Failure,
  type FailureKind,
  invalid,
  notAllowed,
  notFound,
  orNotFound,
  unavailable,
  type Violation,
} from './failure.ts'
export { bearerChallenge, HTTP_STATUSES } from './http.ts'
export { isOutage } from './outage.ts'
