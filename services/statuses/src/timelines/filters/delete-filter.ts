import { notFound } from '@rookery/failures'
import { type ChangeGiven, filterChanges } from './change-filters.ts'
import type { OwnedPart } from './filter.store.ts'

/** Deletes a filter with its keywords and statuses (spec, DELETE /api/v2/filters/:id). @throws Failure not_found */
export const deleteFilter = (given: ChangeGiven) => {
  const change = filterChanges(given)
  return (part: OwnedPart): Promise<void> =>
    change(
      part.accountId,
      async (filters) => {
        if (!(await filters.remove(part))) throw notFound(`filter ${part.id} is not ${part.accountId}'s`)
      },
      { hold: (filters) => filters.holdEntries({ filterId: part.id }) },
    )
}
