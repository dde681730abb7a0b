import type { FilterResult } from '@rookery/contracts/statuses'
import { filterSummaryEntity } from './filter.ts'

const orNull = <Item>(list: readonly Item[]) => (list.length > 0 ? list : null)

/** FilterResult (beyond-the-spec 1.1): a filter that matches a status, with the keywords and statuses that match. */
export const filterResultEntity = ({ filter, keywordMatches, statusMatches }: FilterResult) => ({
  filter: filter && filterSummaryEntity(filter),
  keyword_matches: orNull(keywordMatches),
  status_matches: orNull(statusMatches),
})
