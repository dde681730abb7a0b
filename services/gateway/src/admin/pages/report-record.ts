import type { AdminReport } from '../entities.ts'
import { type RecordParts, timePart } from '../parts.ts'
import { nameOf } from '../people.ts'
import type { Visit } from '../visit.ts'

/** What the category of a report is called. */
export const categoryOf = ({ category }: AdminReport, { texts }: Visit): string => {
  const { categories } = texts.reports
  return Object.hasOwn(categories, category) ? categories[category as keyof typeof categories] : category
}

/** A report among others. */
export const reportRecord = (report: AdminReport, visit: Visit): RecordParts => {
  const { reports } = visit.texts
  const { assigned_account: assigned } = report
  return {
    title: reports.about(nameOf(report.target_account)),
    href: `/admin/reports/${report.id}`,
    picture: report.target_account.account.avatar_static,
    marks: [categoryOf(report, visit), report.action_taken && reports.closed],
    facts: [
      reports.by(nameOf(report.account)),
      timePart(visit, report.created_at),
      assigned !== null && `${reports.assigned}: ${nameOf(assigned)}`,
      report.comment,
    ],
  }
}
