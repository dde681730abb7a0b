import type { Filter, FilterKeyword, FilterStatus, FilterSummary, KeywordOfFilter } from '@rookery/contracts/statuses'
import type { FilterRow, KeywordRow, StatusRow, WholeFilter } from './filter.tables.ts'

/** What a filter says of itself. */
export const filterSummary = ({ id, title, contexts, action, expires_at }: FilterRow): FilterSummary => ({
  id,
  title,
  contexts,
  action,
  expiresAtMilliseconds: expires_at ?? undefined,
})

export const keywordMessage = ({ id, keyword, whole_word }: KeywordRow): FilterKeyword => ({ id, keyword, wholeWord: whole_word })

export const statusMessage = ({ id, status_id }: StatusRow): FilterStatus => ({ id, statusId: status_id })

/** A filter with all its parts. */
export const filterMessage = (filter: WholeFilter): Filter => ({
  summary: filterSummary(filter),
  keywords: filter.keywords.map(keywordMessage),
  statuses: filter.statuses.map(statusMessage),
})

export const keywordOfFilterMessage = (row: KeywordRow & { filter: FilterRow }): KeywordOfFilter => ({
  keyword: keywordMessage(row),
  filter: filterSummary(row.filter),
})
