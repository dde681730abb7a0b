import type { CreateFilterRequest, Filter } from '@rookery/contracts/statuses'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { type ChangeDeps, filterChanges } from './change-filters.ts'
import { filterMessage } from './filter.message.ts'
import { actionFaults, contextFaults, expiresAt, titleFaults } from './filter.rules.ts'
import { namedIds, planFaults, planOf } from './keyword-change.rules.ts'
import { refuseTooMany } from './refuse-too-many.ts'

/**
 * Creates a filter with its keywords (spec, POST /api/v2/filters).
 * @throws Failure not_found if a keyword has an id; invalid in the contract's words
 */
export const createFilter = ({ clock, ...given }: ChangeDeps & { clock: Clock }) => {
  const change = filterChanges(given)
  return async (call: Call, { accountId, title, contexts, action, expiry, keywords }: CreateFilterRequest): Promise<Filter> => {
    const plan = planOf(keywords)
    if (namedIds(plan).length > 0) throw notFound('a new filter has no keywords yet')
    const faults = [...titleFaults(title), ...contextFaults(contexts), ...actionFaults(action), ...planFaults(plan)]
    if (faults.length > 0) throw invalid(...new Set(faults))
    return change(call, accountId, async (filters) => {
      const filter = {
        title,
        contexts: [...new Set(contexts)],
        action: action || 'warn',
        expiresAt: expiresAt(expiry, clock.now()) ?? null,
      }
      const id = await filters.add(accountId, filter)
      if (plan.added.length > 0) await filters.addKeywords(id, plan.added)
      await refuseTooMany(filters, accountId)
      return filterMessage(orNotFound(await filters.filter({ id, accountId })))
    })
  }
}
