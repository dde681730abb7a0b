/** Types that say what they are about themselves. */
const DETAILED: ReadonlySet<string> = new Set(['moderation_warning', 'severed_relationships'])

/** Whether notifications of a type carry a detail; their `reportId` is then its id, and names no report. */
export const hasDetail = (type: string): boolean => DETAILED.has(type)

/** The report that a notification is about; null for none. */
export const reportIdOf = ({ type, reportId }: { type: string; reportId: string | null }): string | null =>
  hasDetail(type) ? null : reportId
