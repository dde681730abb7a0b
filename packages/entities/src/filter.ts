import type { Filter, FilterKeyword, FilterStatus, FilterSummary } from '@rookery/contracts/statuses'
import { timestamp } from './timestamp.ts'

const expiryOf = ({ expiresAtMilliseconds }: FilterSummary) =>
  expiresAtMilliseconds === undefined ? null : timestamp(expiresAtMilliseconds)

/** Filter without its keywords and statuses, as in `filtered` (beyond-the-spec 1.1, FilterResult). */
export const filterSummaryEntity = (summary: FilterSummary) => ({
  id: summary.id,
  title: summary.title,
  context: summary.contexts,
  expires_at: expiryOf(summary),
  filter_action: summary.action,
})

/** FilterKeyword (spec, Resources). */
export const filterKeywordEntity = ({ id, keyword, wholeWord }: FilterKeyword) => ({ id, keyword, whole_word: wholeWord })

/** FilterStatus (spec, Resources). */
export const filterStatusEntity = ({ id, statusId }: FilterStatus) => ({ id, status_id: statusId })

/** Filter (spec, Resources). */
export const filterEntity = ({ keywords, statuses }: Filter, summary: FilterSummary) => ({
  ...filterSummaryEntity(summary),
  keywords: keywords.map(filterKeywordEntity),
  statuses: statuses.map(filterStatusEntity),
})

/** V1::Filter (spec, Resources): one keyword with the settings of its filter. */
export const phraseEntity = ({ id, keyword, wholeWord }: FilterKeyword, filter: FilterSummary) => ({
  id,
  phrase: keyword,
  context: filter.contexts,
  whole_word: wholeWord,
  expires_at: expiryOf(filter),
  irreversible: filter.action === 'hide',
})
