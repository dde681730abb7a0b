import { Failure, type FailureKind } from '@rookery/failures'

/** Upstream's words, which apps show. */
const NOT_VALID = 'This invite is not valid'

/** The failure for an invitation that no one can sign up by, whether it is over or was never there. */
export const inviteFault = (kind: FailureKind): Failure => new Failure(kind, NOT_VALID)

/** Whether an error says that an invitation is no good. */
export const isInviteFault = (error: unknown): boolean => error instanceof Failure && error.message === NOT_VALID
