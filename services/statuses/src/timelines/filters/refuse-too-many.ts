import { invalid } from '@rookery/failures'
import { holdingsFaults } from './filter.rules.ts'
import type { FilterWriter } from './filter.store.ts'

/** Undoes a change after which someone has more than one person may. @throws Failure invalid */
export const refuseTooMany = async (filters: FilterWriter, accountId: string): Promise<void> => {
  const faults = holdingsFaults(await filters.holdings(accountId))
  if (faults.length > 0) throw invalid(...faults)
}
