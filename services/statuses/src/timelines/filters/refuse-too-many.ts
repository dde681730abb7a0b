import { invalid } from '@rookery/failures'
import { holdingsFaults } from './filter.rules.ts'
import type { FilterWriter } from './filter.store.ts'

/** Checks the limits after a change, so that throwing rolls it back. @throws Failure invalid */
export const refuseTooMany = async (filters: FilterWriter, accountId: string): Promise<void> => {
  const faults = holdingsFaults(await filters.holdings(accountId))
  if (faults.length > 0) throw invalid(...faults)
}
