import type { Filter, UpdateFilterRequest } from '@rookery/contracts/statuses'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { type ChangeDeps, filterChanges } from './change-filters.ts'
import { filterMessage } from './filter.message.ts'
import { actionFaults, contextFaults, expiresAt, titleFaults } from './filter.rules.ts'
import type { FilterWriter } from './filter.store.ts'
import { type KeywordPlan, namedIds, planFaults, planOf } from './keyword-change.rules.ts'
import { refuseTooMany } from './refuse-too-many.ts'

const faultsOf = ({ title, contexts, action }: UpdateFilterRequest, plan: KeywordPlan): string[] => [
  ...(title === undefined ? [] : titleFaults(title)),
  ...(contexts ? contextFaults(contexts.names) : []),
  ...actionFaults(action),
  ...planFaults(plan),
]

const carryOut = async (filters: FilterWriter, filterId: string, { added, changed, removedIds }: KeywordPlan): Promise<void> => {
  if (removedIds.length > 0) await filters.removeKeywords(removedIds)
  if (changed.length > 0) await filters.changeKeywords(changed)
  if (added.length > 0) await filters.addKeywords(filterId, added)
}

/**
 * Changes a filter and its keywords together (spec, PUT /api/v2/filters/:id).
 * @throws Failure not_found for another's filter or a keyword of another filter; invalid in the contract's words
 */
export const updateFilter = ({ clock, ...given }: ChangeDeps & { clock: Clock }) => {
  const change = filterChanges(given)
  return (call: Call, request: UpdateFilterRequest): Promise<Filter> => {
    const { id, accountId, title, contexts, action, expiry } = request
    return change(call, accountId, async (filters) => {
      const filter = orNotFound(await filters.filter({ id, accountId }), `filter ${id} is not ${accountId}'s`)
      const plan = planOf(request.keywords)
      const known = new Set(filter.keywords.map((keyword) => keyword.id))
      if (!namedIds(plan).every((keywordId) => known.has(keywordId))) throw notFound(`a keyword is not in filter ${id}`)
      const faults = faultsOf(request, plan)
      if (faults.length > 0) throw invalid(...new Set(faults))
      await filters.change(id, {
        title,
        contexts: contexts && [...new Set(contexts.names)],
        action: action || undefined,
        expiresAt: expiresAt(expiry, clock.now()),
      })
      await carryOut(filters, id, plan)
      await refuseTooMany(filters, accountId)
      return filterMessage(orNotFound(await filters.filter({ id, accountId })))
    })
  }
}
