import { notFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import { type ChangeDeps, filterChanges } from './change-filters.ts'
import type { OwnedPart } from './filter.store.ts'

/** Deletes a filter with its keywords and statuses (spec, DELETE /api/v2/filters/:id). @throws Failure not_found */
export const deleteFilter = (deps: ChangeDeps) => {
  const change = filterChanges(deps)
  return (call: Call, part: OwnedPart): Promise<void> =>
    change(
      call,
      part.accountId,
      async (filters) => {
        if (!(await filters.remove(part))) throw notFound(`filter ${part.id} is not ${part.accountId}'s`)
      },
      { hold: (filters) => filters.holdEntries({ filterId: part.id }) },
    )
}
