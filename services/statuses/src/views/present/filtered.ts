import type { Filtered } from '@rookery/contracts/statuses'
import type { FoldedText, ViewerFilters } from '../../content/keywords/index.ts'

/** The filters that match a status by these ids, its own and the boosted one, or by `text`; undefined if none does. */
export const filteredOf = (filters: ViewerFilters, ids: readonly string[], text: () => FoldedText): Filtered | undefined => {
  const results = filters.results(ids, text)
  return results.length > 0 ? { results } : undefined
}
