import type { Filtered } from '@rookery/contracts/statuses'
import type { FoldedText, ViewerFilters } from '../../content/keywords/index.ts'

/** Which filters fit a status with these ids, its own and what it boosts; `text` is what is read of it. Undefined when none does. */
export const filteredOf = (filters: ViewerFilters, ids: readonly string[], text: () => FoldedText): Filtered | undefined => {
  const results = filters.results(ids, text)
  return results.length > 0 ? { results } : undefined
}
