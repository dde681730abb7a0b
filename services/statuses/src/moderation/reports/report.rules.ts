import { LIMITS } from '@rookery/contracts/limits'
import { isId } from '@rookery/ids'

const CATEGORIES = new Set(['spam', 'legal', 'violation', 'other'])

/** The content of a report. */
type Complaint = { statusIds: readonly string[]; comment: string; category: string; ruleIds: readonly string[] }

/** The category of a report: violation if it names rules, else the given one, by default other (beyond-the-spec 2.2). */
export const categoryOf = ({ category, ruleIds }: Pick<Complaint, 'category' | 'ruleIds'>): string =>
  ruleIds.length > 0 ? 'violation' : category || 'other'

/** Validates a report against the limits (beyond-the-spec 1.2); returns a sentence per violation. */
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

type Classification = Pick<Complaint, 'category' | 'ruleIds'>

/** The category and rules of a report after a change; absent values stay. Naming rules makes it a violation; other categories have no rules. */
export const recategorized = (
  before: Classification,
  change: { category?: string | undefined; ruleIds?: readonly string[] | undefined },
) => {
  const category = change.category ?? before.category
  const ruleIds = change.ruleIds ?? (category === 'violation' ? before.ruleIds : [])
  return { category: categoryOf({ category, ruleIds }), ruleIds: [...new Set(ruleIds)] }
}

/** Maximum number of reported statuses on a page. */
const MAX_STATUSES = 1000

/** The leading rows of a page whose statuses stay within `MAX_STATUSES`; at least one row. */
export const rowsOfPage = <Row extends { statusIds: readonly unknown[] }>(rows: readonly Row[]): Row[] => {
  let statuses = 0
  const end = rows.findIndex((row, index) => {
    statuses += row.statusIds.length
    return index > 0 && statuses > MAX_STATUSES
  })
  return rows.slice(0, end < 0 ? rows.length : end)
}

/** Resolver and time of a report; an operator has no id. */
type Resolution = { actionTakenById: string | null; actionTakenAt: Date | null }

/** The columns that change when a report is resolved or reopened. A repeat by the same person keeps the first time. */
export const resolution = (before: Resolution, done: { by: string | null; at: Date } | undefined): Partial<Resolution> => {
  if (!done) return before.actionTakenAt ? { actionTakenAt: null, actionTakenById: null } : {}
  if (before.actionTakenAt && before.actionTakenById === done.by) return {}
  return { actionTakenAt: done.at, actionTakenById: done.by }
}
