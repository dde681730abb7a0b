import type { Filter, FilterKeyword, FilterStatus, KeywordOfFilter } from '@rookery/contracts/statuses'
import { filterSummary } from '../../content/keywords/index.ts'
import type { FilterRow, KeywordRow, StatusRow, WholeFilter } from '../../database/tables/filter.ts'

export const keywordMessage = ({ id, keyword, wholeWord }: KeywordRow): FilterKeyword => ({ id, keyword, wholeWord: wholeWord })

export const statusMessage = ({ id, statusId }: StatusRow): FilterStatus => ({ id, statusId: statusId })

/** A filter with its keywords and statuses, as a message. */
export const filterMessage = (filter: WholeFilter): Filter => ({
  summary: filterSummary(filter),
  keywords: filter.keywords.map(keywordMessage),
  statuses: filter.statuses.map(statusMessage),
})

export const keywordOfFilterMessage = (row: KeywordRow & { filter: FilterRow }): KeywordOfFilter => ({
  keyword: keywordMessage(row),
  filter: filterSummary(row.filter),
})
