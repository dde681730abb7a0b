import { Failure } from '@rookery/failures'

/** Aliases that one account may name. */
export const MAX_ALIASES = 10

const FAULTS = {
  ERR_UNKNOWN: 'is not the handle of an account',
  ERR_SELF: 'is the account itself',
  ERR_NOT_NAMED: 'does not name this account as an alias',
  ERR_MOVED: 'has moved itself',
  ERR_TOO_MANY: `cannot be more than ${MAX_ALIASES}`,
} as const

/** The failure for a handle that an account cannot be tied to. */
export const handleFault = (code: keyof typeof FAULTS): Failure => {
  const description = FAULTS[code]
  return new Failure('invalid', `Validation failed: Handle ${description}`, { violations: [{ field: 'acct', code, description }] })
}

/** An account that someone may move to. */
export type Destination = { id: string; movedToId: string | null; isAlias: boolean }

/** Refuses a move that peers would (beyond-the-spec 1.1, moved): the other account must have named this one, and be where the person is. */
export const refuseMove = (accountId: string, destination: Destination | undefined): Destination => {
  if (!destination) throw handleFault('ERR_UNKNOWN')
  if (destination.id === accountId) throw handleFault('ERR_SELF')
  if (!destination.isAlias) throw handleFault('ERR_NOT_NAMED')
  if (destination.movedToId) throw handleFault('ERR_MOVED')
  return destination
}
