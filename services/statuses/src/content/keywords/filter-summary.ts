import type { FilterSummary } from '@rookery/contracts/statuses'
import type { FilterRow } from '../../database/tables/filter.ts'

/** What a filter says of itself. */
export const filterSummary = ({ id, title, contexts, action, expiresAt }: FilterRow): FilterSummary => ({
  id,
  title,
  contexts,
  action,
  expiresAtMilliseconds: expiresAt ?? undefined,
})
