import { Failure, type FailureKind } from '@rookery/failures'

/** Mastodon's message, which apps show. */
const NOT_VALID = 'This invite is not valid'

/** The failure for an invalid invitation, ended or unknown. */
export const inviteFault = (kind: FailureKind): Failure => new Failure(kind, NOT_VALID)

/** Whether an error is that of an invalid invitation. */
export const isInviteFault = (error: unknown): boolean => error instanceof Failure && error.message === NOT_VALID
