import { COUNTED_REPORTS } from '@rookery/contracts/limits'
import { html } from '@rookery/pages'
import type { FoundReports } from '../endpoints/reports.ts'
import type { AdminAccount, AdminReport } from '../entities.ts'
import { choicePart, numberOf, type RecordParts, recordsPart, timePart } from '../parts.ts'
import { accountRecord, filesOfAccounts, nameOf, withName } from '../people.ts'
import { wordFor } from '../texts/index.ts'
import type { Visit } from '../visit.ts'

/** The name of a report's category. */
export const categoryOf = ({ category }: AdminReport, { texts }: Visit): string => wordFor(texts.reports.categories, category)

/** The images that records of reports show. */
export const filesOfReports = (reports: readonly AdminReport[]): string[] =>
  reports.flatMap(({ account, target_account: target, assigned_account: assigned, action_taken_by_account: decider }) =>
    filesOfAccounts([account, target, assigned, decider].filter((each) => each !== null)),
  )

/** The path of the reports about an account. */
export const reportsPath = ({ account }: AdminAccount): string => `/admin/reports?${new URLSearchParams({ about: account.acct })}`

/** Facts about a report, without its target. */
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

/** A report below the record of its target. */
const reportBelow = (report: AdminReport, visit: Visit): RecordParts => ({
  title: visit.texts.reports.title(report.id),
  href: `/admin/reports/${report.id}`,
  marks: [categoryOf(report, visit), report.action_taken && visit.texts.reports.closed],
  facts: factsOf(report, visit),
})

/** A report in a list. */
export const reportRecord = (report: AdminReport, visit: Visit): RecordParts => ({
  ...reportBelow(report, visit),
  title: withName(visit.texts.reports.about(nameOf(report.target_account)), report.target_account),
  picture: report.target_account.account.avatar_static,
})

/** The numbers of open reports by account id. */
type OpenCounts = Readonly<Record<string, number>>

/** The record of an account that reports are about, with the number of open ones. */
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

/** The reports about one account: a single one by itself, several below the account, which links to all open ones. */
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

/**
 * The records of a page of reports: those about one account if filtered by it, else open ones grouped by account, and resolved ones one by
 * one.
 */
export const reportRecords = (visit: Visit, { reports, target, open }: FoundReports): RecordParts[] => {
  if (target) return reports.map((report) => withChoice(visit, report, reportBelow(report, visit)))
  const groups = Map.groupBy(reports, (report) => (report.action_taken ? report.id : report.target_account.id))
  return [...groups.values()].map((about) => recordOfPerson(visit, about, open))
}
