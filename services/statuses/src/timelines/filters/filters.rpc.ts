import { FiltersDefinition } from '@rookery/contracts/statuses'
import { type Call, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { Views } from '../../views/index.ts'
import { addFilterStatus, removeFilterStatus } from './change-filtered-statuses.ts'
import type { ChangeDeps } from './change-filters.ts'
import { addKeyword, removeKeyword, updateKeyword } from './change-keywords.ts'
import { createPhrase, updatePhrase } from './change-phrases.ts'
import { createFilter } from './create-filter.ts'
import { deleteFilter } from './delete-filter.ts'
import { listFilters, readFilter, readFilterStatus, readKeyword } from './read-filters.ts'
import { updateFilter } from './update-filter.ts'

/** Wraps an act without a result. */
const done =
  <Request>(act: (call: Call, request: Request) => Promise<void>) =>
  async (call: Call, request: Request) => {
    await act(call, request)
    return {}
  }

const plain =
  <Request, Answer>(act: (request: Request) => Promise<Answer>) =>
  (_call: unknown, request: Request) =>
    act(request)

/** Serves Filters of the contract: filters, their keywords and statuses. */
export const createFiltersRpc = (deps: ChangeDeps & { clock: Clock; views: Views }): Handler => {
  const list = listFilters(deps)
  return handler(FiltersDefinition, {
    list: async (_call, { accountId }) => ({ filters: await list(accountId) }),
    read: plain(readFilter(deps)),
    create: createFilter(deps),
    update: updateFilter(deps),
    delete: done(deleteFilter(deps)),
    addKeyword: addKeyword(deps),
    readKeyword: plain(readKeyword(deps)),
    updateKeyword: updateKeyword(deps),
    removeKeyword: done(removeKeyword(deps)),
    addStatus: addFilterStatus(deps),
    readStatus: plain(readFilterStatus(deps)),
    removeStatus: done(removeFilterStatus(deps)),
    createPhrase: createPhrase(deps),
    updatePhrase: updatePhrase(deps),
  })
}
