import { Failure } from '@rookery/failures'

/** Maximum aliases per account. */
export const MAX_ALIASES = 10

const FAULTS = {
  ERR_UNKNOWN: 'is not the handle of an account',
  ERR_SELF: 'is the account itself',
  ERR_NOT_NAMED: 'does not name this account as an alias',
  ERR_MOVED: 'has moved itself',
  ERR_TOO_MANY: `cannot be more than ${MAX_ALIASES}`,
} as const

/** The failure for a handle that cannot be an alias or a destination. */
export const handleFault = (code: keyof typeof FAULTS): Failure => {
  const description = FAULTS[code]
  return new Failure('invalid', `Validation failed: Handle ${description}`, { violations: [{ field: 'acct', code, description }] })
}

/** A possible destination of a move. */
export type Destination = { id: string; movedToId: string | null; isAlias: boolean }

/** Checks a move as peers do (beyond-the-spec 1.1, moved): the destination must name this account as an alias, and not have moved itself. */
export const refuseMove = (accountId: string, destination: Destination | undefined): Destination => {
  if (!destination) throw handleFault('ERR_UNKNOWN')
  if (destination.id === accountId) throw handleFault('ERR_SELF')
  if (!destination.isAlias) throw handleFault('ERR_NOT_NAMED')
  if (destination.movedToId) throw handleFault('ERR_MOVED')
  return destination
}
