import { DELETION_DAYS } from '@rookery/contracts/limits'
import type { DeletionPolicy } from '@rookery/contracts/statuses'
import { invalid } from '@rookery/failures'

const MAX_COUNT = 1_000_000_000

/** The policy of those who have chosen none: nothing is deleted, and what they would want to keep is kept. */
export const NO_DELETION: DeletionPolicy = {
  isOn: false,
  days: 365,
  keepDirect: true,
  keepPinned: true,
  keepPolls: false,
  keepMedia: false,
  keepFavourited: true,
  keepBookmarked: true,
  minFavourites: undefined,
  minBoosts: undefined,
}

const countFault = (name: string, count: number | undefined): string | undefined =>
  count !== undefined && (count < 1 || count > MAX_COUNT) ? `${name} is invalid` : undefined

/** Returns a policy that can be stored. @throws Failure invalid */
export const checkedPolicy = (policy: DeletionPolicy): DeletionPolicy => {
  const faults = [
    DELETION_DAYS.some((days) => days === policy.days) ? undefined : 'Days is not included in the list',
    countFault('Min favourites', policy.minFavourites),
    countFault('Min boosts', policy.minBoosts),
  ].filter((fault) => fault !== undefined)
  if (faults.length > 0) throw invalid(faults.join(', '))
  return policy
}
