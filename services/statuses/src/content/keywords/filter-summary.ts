import type { FilterSummary } from '@rookery/contracts/statuses'
import type { FilterRow } from '../../database/tables/filter.ts'

/** A filter without its keywords and statuses, as a message. */
export const filterSummary = ({ id, title, contexts, action, expiresAt }: FilterRow): FilterSummary => ({
  id,
  title,
  contexts,
  action,
  expiresAtMilliseconds: expiresAt ?? undefined,
})
