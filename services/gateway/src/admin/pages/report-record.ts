import { COUNTED_REPORTS } from '@rookery/contracts/limits'
import { html } from '@rookery/pages'
import type { FoundReports } from '../endpoints/reports.ts'
import type { AdminAccount, AdminReport } from '../entities.ts'
import { choicePart, numberOf, type RecordParts, recordsPart, timePart } from '../parts.ts'
import { accountRecord, filesOfAccounts, nameOf, withName } from '../people.ts'
import type { Visit } from '../visit.ts'

/** What the category of a report is called. */
export const categoryOf = ({ category }: AdminReport, { texts }: Visit): string => {
  const { categories } = texts.reports
  return Object.hasOwn(categories, category) ? categories[category as keyof typeof categories] : category
}

/** Pictures that records of reports show. */
export const filesOfReports = (reports: readonly AdminReport[]): string[] =>
  reports.flatMap(({ account, target_account: target, assigned_account: assigned, action_taken_by_account: decider }) =>
    filesOfAccounts([account, target, assigned, decider].filter((each) => each !== null)),
  )

/** The page of the reports about someone. */
export const reportsPath = ({ account }: AdminAccount): string => `/admin/reports?${new URLSearchParams({ about: account.acct })}`

/** What is said of a report beside whom it is about. */
const factsOf = (report: AdminReport, visit: Visit): NonNullable<RecordParts['facts']> => {
  const { reports } = visit.texts
  const { assigned_account: assigned } = report
  return [
    withName(reports.by(nameOf(report.account)), report.account),
    timePart(visit, report.created_at),
    assigned !== null && withName(`${reports.assigned}: ${nameOf(assigned)}`, assigned),
    report.comment,
  ]
}

/** A report below the person that it is about. */
const reportBelow = (report: AdminReport, visit: Visit): RecordParts => ({
  title: visit.texts.reports.title(report.id),
  href: `/admin/reports/${report.id}`,
  marks: [categoryOf(report, visit), report.action_taken && visit.texts.reports.closed],
  facts: factsOf(report, visit),
})

/** A report among others. */
export const reportRecord = (report: AdminReport, visit: Visit): RecordParts => ({
  ...reportBelow(report, visit),
  title: withName(visit.texts.reports.about(nameOf(report.target_account)), report.target_account),
  picture: report.target_account.account.avatar_static,
})

/** Open reports about one person, by the person's id. */
type OpenCounts = Readonly<Record<string, number>>

/** Someone whom reports are about, with how many are open. */
export const personRecord = (visit: Visit, target: AdminAccount, open: OpenCounts): RecordParts => {
  const { reports } = visit.texts
  const count = open[target.id] ?? 0
  const shown = numberOf(visit, count)
  const { facts = [], ...record } = accountRecord(target, visit.texts)
  return { ...record, facts: [...facts, reports.openAbout(count < COUNTED_REPORTS ? shown : `${shown}+`)] }
}

const withChoice = (visit: Visit, report: AdminReport, record: RecordParts): RecordParts => {
  const { choose, reports } = visit.texts
  if (report.action_taken) return record
  return { ...record, choice: choicePart(visit, { name: 'report_ids', value: report.id, label: choose.one(reports.title(report.id)) }) }
}

/** Reports about one person: one by itself, several below the person, who leads to all that are open. */
const recordOfPerson = (visit: Visit, about: readonly AdminReport[], open: OpenCounts): RecordParts => {
  const [first] = about as [AdminReport]
  const target = first.target_account
  const hasMore = (open[target.id] ?? 0) > 1
  if (about.length === 1) {
    const { facts = [], ...record } = withChoice(visit, first, reportRecord(first, visit))
    const all = hasMore && html`<a href="${reportsPath(target)}">${visit.texts.reports.allAbout}</a>`
    return { ...record, facts: [...facts, all] }
  }
  const below = about.map((report) => withChoice(visit, report, reportBelow(report, visit)))
  return { ...personRecord(visit, target, open), href: reportsPath(target), body: recordsPart(below, '') }
}

/** Reports of a page: those about the person that was asked for, or open ones by person, or one by one. */
export const reportRecords = (visit: Visit, { reports, target, open }: FoundReports): RecordParts[] => {
  if (target) return reports.map((report) => withChoice(visit, report, reportBelow(report, visit)))
  const groups = Map.groupBy(reports, (report) => (report.action_taken ? report.id : report.target_account.id))
  return [...groups.values()].map((about) => recordOfPerson(visit, about, open))
}
