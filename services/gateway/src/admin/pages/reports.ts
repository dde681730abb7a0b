import { PERMISSIONS } from '@rookery/contracts/permissions'
import { type Html, html } from '@rookery/pages'
import { Staff } from '../../http/access.ts'
import { api } from '../api.ts'
import { ASSIGNED, type FoundReports, findReports, handleReports } from '../endpoints/reports.ts'
import { actOnStatuses } from '../endpoints/statuses.ts'
import type { AdminAccount, AdminReport } from '../entities.ts'
import type { Field } from '../fields.ts'
import type { AdminPage } from '../page.ts'
import { actPart, factsPart, filtered, filterPart, folded, formPart, manyPart, pagerPart, recordsPart, timePart } from '../parts.ts'
import { accountPath, accountRecord, filesOfAccounts, mayAct, nameOf, namePart, withName } from '../people.ts'
import { filesOfPost, finalOnPosts, formerRecord, postsPart } from '../posts.ts'
import { ask, read, type Visit } from '../visit.ts'
import { warningParts } from './accounts.ts'
import { categoryOf, filesOfReports, personRecord, reportRecords, reportsPath } from './report-record.ts'

const access = Staff(PERMISSIONS.manageReports, 'admin:read:reports')
const PAGE = 40

/** The fields of the filter. */
const filterFields = ({ texts }: Visit): Field[] => {
  const { reports } = texts
  return [
    {
      name: 'resolved',
      label: reports.resolved,
      kind: 'choice',
      options: [
        ['', reports.open],
        ['true', reports.closed],
      ],
    },
    { name: 'category', label: reports.category, kind: 'choice', options: [['', texts.any], ...Object.entries(reports.categories)] },
    {
      name: 'assigned',
      label: reports.assigned,
      kind: 'choice',
      options: [
        ['', reports.anyone],
        [ASSIGNED.toMe, reports.me],
        [ASSIGNED.toNoOne, reports.unassigned],
      ],
    },
    { name: 'about', label: reports.person, kind: 'search' },
  ]
}

/** GET /admin/reports: open or resolved reports. Several open ones about an account are grouped. */
export const reportsPage: AdminPage = {
  path: '/admin/reports',
  section: 'reports',
  isFirst: true,
  access,
  async read(visit) {
    const { texts, query } = visit
    const fields = filterFields(visit)
    const values = filtered(
      visit,
      fields.map(({ name }) => name),
    )
    const { body, page } = await ask(visit, findReports, { ...values, limit: String(PAGE) })
    const found = body as FoundReports
    const { reports, target, open } = found
    const isOpen = query.get('resolved') !== 'true'
    const isUnknown = query.get('about') && !target
    const buttons = [
      { label: texts.reports.assignChosen, kind: 'quiet', name: 'decision', value: 'assign' },
      { label: texts.reports.resolveChosen, kind: 'quiet', name: 'decision', value: 'resolve' },
    ] as const
    return {
      title: texts.sections.reports,
      body: html`${filterPart(visit, fields, texts.filter)}
${target && recordsPart([personRecord(visit, target, open)], '')}
${isOpen && reports.length > 1 && manyPart(visit, { form: 'many', buttons })}
${recordsPart(reportRecords(visit, found), isUnknown ? texts.reports.unknownPerson : texts.reports.none)}${pagerPart(visit, page)}`,
      files: [...filesOfReports(reports), ...filesOfAccounts(target ? [target] : [])],
    }
  },
  forms: { many: { endpoint: handleReports, done: 'handled' } },
}

const personLink = (account: AdminAccount | null): Html | undefined =>
  account ? html`<a href="${accountPath(account)}">${namePart(account)}</a>` : undefined

const handlingPart = (visit: Visit, { assigned_account: assigned, action_taken: isResolved }: AdminReport): Html => {
  const { reports } = visit.texts
  const isMine = assigned?.id === visit.holder.accountId
  return html`${assigned !== null && !isMine && !isResolved && html`<p class="notice">${withName(reports.changed(nameOf(assigned)), assigned)}</p>`}
<div class="buttons">
${!isMine && actPart(visit, { form: 'assign', label: reports.assign })}
${assigned !== null && actPart(visit, { form: 'unassign', label: reports.unassign })}
${isResolved ? actPart(visit, { form: 'reopen', label: reports.reopen }) : actPart(visit, { form: 'resolve', label: reports.resolve })}
</div>`
}

const changePart = async (visit: Visit, report: AdminReport): Promise<Html> => {
  const { texts, call, clients } = visit
  const { rules } = await clients.instance.readRules(call, {})
  const removed = report.rules.filter(({ id }) => !rules.some((rule) => rule.id === id))
  const fields = [
    {
      name: 'category',
      label: texts.reports.category,
      kind: 'choice',
      value: report.category,
      options: Object.entries(texts.reports.categories),
    },
    {
      name: 'rule_id',
      label: texts.reports.rules,
      kind: 'choice',
      value: report.rules[0]?.id ?? '',
      options: [['', texts.reports.noRules], ...[...rules, ...removed].map(({ id, text }) => [id, text] as const)],
    },
  ] as const
  return folded(texts.reports.category, formPart(visit, { form: 'change', fields, buttons: [{ label: texts.save, kind: 'quiet' }] }))
}

/** The posts that were edited after the report, as it found them. */
const editedPart = (visit: Visit, { edited_statuses: edited }: AdminReport): Html | false => {
  const { reports } = visit.texts
  if (edited.length === 0) return false
  const records = edited.map((status) => formerRecord(status, visit, reports.edited))
  return html`<h3>${reports.asReported}</h3>${recordsPart(records, '')}`
}

/** GET /admin/reports/:id: a report with its subject, and acts on it. */
export const reportPage: AdminPage = {
  path: '/admin/reports/:id',
  section: 'reports',
  access,
  async read(visit) {
    const { texts, params } = visit
    const report = await read<AdminReport>(visit, api('GET /api/v1/admin/reports/:id'), params)
    const { reports } = texts
    const target = report.target_account
    const facts = factsPart([
      [reports.category, categoryOf(report, visit)],
      [reports.rules, report.rules.map(({ text }) => text).join(' · ')],
      [reports.filed, timePart(visit, report.created_at)],
      [reports.author, personLink(report.account)],
      [reports.assigned, personLink(report.assigned_account) ?? reports.unassigned],
      [reports.decidedBy, personLink(report.action_taken_by_account)],
    ])
    const isBelow = mayAct(visit, target)
    const acting = formPart(visit, { form: 'act', values: { account_id: target.id }, ...warningParts(visit) })
    const body = html`${recordsPart([accountRecord(target, texts)], '')}
<p><a href="${reportsPath(target)}">${reports.allAbout}</a></p>
${facts}
${report.comment && html`<h2>${reports.comment}</h2><div class="said quoted">${report.comment}</div>`}
<h2>${reports.posts}</h2>
${postsPart(visit, { statuses: report.statuses, deletedIds: report.deleted_status_ids, none: reports.noPosts, values: { account_id: target.id }, isReport: !report.action_taken, mayAct: isBelow })}
${editedPart(visit, report)}
<h2>${reports.assigned}</h2>
${handlingPart(visit, report)}
${!report.action_taken && html`<h2>${reports.actAndResolve}</h2>${isBelow ? acting : html`<p class="small">${texts.accounts.outranked}</p>`}`}
${await changePart(visit, report)}`
    return {
      title: reports.about(nameOf(target)),
      heading: withName(reports.about(nameOf(target)), target),
      lead: `${reports.title(report.id)} · ${report.action_taken ? reports.closed : reports.open}`,
      body,
      files: [...filesOfReports([report]), ...[...report.statuses, ...report.edited_statuses].flatMap(filesOfPost)],
    }
  },
  forms: {
    assign: { endpoint: api('POST /api/v1/admin/reports/:id/assign_to_self'), done: 'assigned' },
    unassign: { endpoint: api('POST /api/v1/admin/reports/:id/unassign'), done: 'unassigned' },
    resolve: { endpoint: api('POST /api/v1/admin/reports/:id/resolve'), done: 'resolved' },
    reopen: { endpoint: api('POST /api/v1/admin/reports/:id/reopen'), done: 'reopened' },
    change: {
      endpoint: api('PUT /api/v1/admin/reports/:id'),
      done: 'changed',
      values: ({ rule_id: ruleId, ...values }) => ({
        ...values,
        ...(values['category'] === 'violation' && { rule_ids: ruleId ? [ruleId] : [] }),
      }),
    },
    statuses: {
      endpoint: actOnStatuses,
      done: 'acted',
      final: finalOnPosts,
      values: ({ account_id: accountId, id, ...values }) => ({ ...values, id: accountId, report_id: id }),
    },
    act: {
      endpoint: api('POST /api/v1/admin/accounts/:id/action'),
      done: 'acted',
      values: ({ account_id: accountId, id, ...values }) => ({ ...values, id: accountId, report_id: id }),
    },
  },
}
