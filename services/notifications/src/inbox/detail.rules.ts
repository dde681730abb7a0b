/** Types that carry a detail. */
const DETAILED: ReadonlySet<string> = new Set(['moderation_warning', 'severed_relationships'])

/** Whether notifications of a type carry a detail; their `reportId` is then its id, and not a report's. */
export const hasDetail = (type: string): boolean => DETAILED.has(type)

/** The report of a notification, or null. */
export const reportIdOf = ({ type, reportId }: { type: string; reportId: string | null }): string | null =>
  hasDetail(type) ? null : reportId
