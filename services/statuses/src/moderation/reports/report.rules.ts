import { LIMITS } from '@rookery/contracts/limits'
import { isId } from '@rookery/ids'

const CATEGORIES = new Set(['spam', 'legal', 'violation', 'other'])

/** The content of a report. */
export type Complaint = { statusIds: readonly string[]; comment: string; category: string; ruleIds: readonly string[] }

/** A report's category: rules make it a violation, and saying nothing another (beyond-the-spec 2.2). */
export const categoryOf = ({ category, ruleIds }: Pick<Complaint, 'category' | 'ruleIds'>): string =>
  ruleIds.length > 0 ? 'violation' : category || 'other'

/** What of a report breaks the limits (beyond-the-spec 1.2), in sentences. */
export const faultsOf = (complaint: Complaint): string[] => {
  const { commentLength, maxStatuses, maxRules } = LIMITS.reports
  const { comment, statusIds, ruleIds } = complaint
  const isLong = comment.length > commentLength && [...comment].length > commentLength
  return [
    ...(isLong ? [`Comment is too long (maximum is ${commentLength} characters)`] : []),
    ...(CATEGORIES.has(categoryOf(complaint)) ? [] : ['Category is not included in the list']),
    ...(statusIds.length > maxStatuses ? [`Statuses are too many (maximum is ${maxStatuses})`] : []),
    ...(ruleIds.length > maxRules || !ruleIds.every(isId) ? ['Rule ids does not reference valid rules'] : []),
  ]
}
