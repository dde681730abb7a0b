import type { AddFilterStatusRequest, FilterStatus } from '@rookery/contracts/statuses'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Views } from '../../views/index.ts'
import { type ChangeDeps, filterChanges } from './change-filters.ts'
import { statusMessage } from './filter.message.ts'
import type { OwnedPart } from './filter.store.ts'
import { refuseTooMany } from './refuse-too-many.ts'

/**
 * Adds a status that the owner may see to a filter (beyond-the-spec 2.4).
 * @throws Failure not_found for another's filter or a status that is not visible; invalid if the filter has it already
 */
export const addFilterStatus = ({ views, ...given }: ChangeDeps & { views: Views }) => {
  const change = filterChanges(given)
  return async (call: Call, { filterId, accountId, statusId }: AddFilterStatusRequest): Promise<FilterStatus> => {
    orNotFound((await views.byIds(accountId, [statusId], 'direct')).items[0], `status ${statusId} is not shown to ${accountId}`)
    const hold = async (filters: { holdStatus(id: string): Promise<boolean> }) => {
      if (!(await filters.holdStatus(statusId))) throw notFound('the status was deleted meanwhile')
    }
    return change(
      call,
      accountId,
      async (filters) => {
        orNotFound(await filters.filter({ id: filterId, accountId }), `filter ${filterId} is not ${accountId}'s`)
        const added = await filters.addStatus(filterId, statusId)
        if (!added) throw invalid('Status has already been taken')
        await refuseTooMany(filters, accountId)
        return statusMessage(added)
      },
      { hold },
    )
  }
}

/** Removes a status from a filter (spec, DELETE /api/v2/filters/statuses/:id). @throws Failure not_found */
export const removeFilterStatus = (deps: ChangeDeps) => {
  const change = filterChanges(deps)
  return (call: Call, part: OwnedPart): Promise<void> =>
    change(
      call,
      part.accountId,
      async (filters) => {
        if (!(await filters.removeStatus(part))) throw notFound(`entry ${part.id} is not ${part.accountId}'s`)
      },
      { hold: (filters) => filters.holdEntries({ entryId: part.id }) },
    )
}
