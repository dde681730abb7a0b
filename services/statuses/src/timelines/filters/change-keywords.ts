import type { AddKeywordRequest, FilterKeyword, UpdateKeywordRequest } from '@rookery/contracts/statuses'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import { type ChangeDeps, filterChanges } from './change-filters.ts'
import { keywordMessage } from './filter.message.ts'
import { keywordFaults } from './filter.rules.ts'
import type { OwnedPart } from './filter.store.ts'
import { refuseTooMany } from './refuse-too-many.ts'

/** Adds a keyword to a filter (spec, POST /api/v2/filters/:filter_id/keywords). @throws Failure not_found, invalid */
export const addKeyword = (deps: ChangeDeps) => {
  const change = filterChanges(deps)
  return (call: Call, { filterId, accountId, keyword, wholeWord = true }: AddKeywordRequest): Promise<FilterKeyword> =>
    change(call, accountId, async (filters) => {
      orNotFound(await filters.filter({ id: filterId, accountId }), `filter ${filterId} is not ${accountId}'s`)
      const faults = keywordFaults(keyword)
      if (faults.length > 0) throw invalid(...faults)
      const [added] = await filters.addKeywords(filterId, [{ keyword, wholeWord }])
      await refuseTooMany(filters, accountId)
      return keywordMessage(added!)
    })
}

/** Changes a keyword (spec, PUT /api/v2/filters/keywords/:id). @throws Failure not_found, invalid */
export const updateKeyword = (deps: ChangeDeps) => {
  const change = filterChanges(deps)
  return (call: Call, { id, accountId, keyword, wholeWord }: UpdateKeywordRequest): Promise<FilterKeyword> =>
    change(call, accountId, async (filters) => {
      const known = orNotFound(await filters.keyword({ id, accountId }), `keyword ${id} is not ${accountId}'s`)
      const faults = keywordFaults(keyword)
      if (faults.length > 0) throw invalid(...faults)
      await filters.changeKeywords([{ id, keyword, wholeWord }])
      await refuseTooMany(filters, accountId)
      return { id, keyword, wholeWord: wholeWord ?? known.wholeWord }
    })
}

/** Removes a keyword; its filter stays (spec, DELETE /api/v2/filters/keywords/:id; beyond-the-spec 1.13). @throws Failure not_found */
export const removeKeyword = (deps: ChangeDeps) => {
  const change = filterChanges(deps)
  return (call: Call, part: OwnedPart): Promise<void> =>
    change(call, part.accountId, async (filters) => {
      if (!(await filters.removeKeyword(part))) throw notFound(`keyword ${part.id} is not ${part.accountId}'s`)
    })
}
