import type { Appeal } from '@rookery/contracts/auth'
import { html } from '@rookery/pages'
import { decideAppeal, listAppeals } from '../endpoints/appeals.ts'
import type { AdminPage } from '../page.ts'
import { filtered, formPart, pagerPart, type RecordParts, recordsPart, timePart } from '../parts.ts'
import { read, type Visit } from '../visit.ts'
import { actionOf } from './audit.ts'

const PAGE = 40

const appealRecord = ({ act, text, createdAtMilliseconds }: Appeal, visit: Visit): RecordParts => {
  const { texts, holder } = visit
  const { appeals } = texts
  if (!act) return { title: text }
  const isOwn = act.staffId === holder.accountId
  const staff = isOwn ? appeals.you : act.staffId ? `@${act.staffUsername || act.staffId}` : texts.operator
  const buttons = [
    { label: appeals.approve, name: 'decision', value: 'approve' },
    { label: appeals.reject, kind: 'quiet', name: 'decision', value: 'reject' },
  ] as const
  return {
    title: `@${act.username || act.accountId}`,
    href: `/admin/accounts/${act.accountId}`,
    facts: [
      html`${actionOf(act.action, visit)} · ${staff} · ${timePart(visit, act.createdAtMilliseconds)}`,
      act.reportId && html`<a href="/admin/reports/${act.reportId}">${texts.reports.title(act.reportId)}</a>`,
      act.text,
      html`${appeals.appealed} · ${timePart(visit, createdAtMilliseconds)}`,
    ],
    body: html`<div class="said quoted">${text}</div>`,
    acts: [formPart(visit, { form: 'decide', values: { appeal_id: act.id }, buttons })],
  }
}

/** GET /admin/appeals: appeals against acts of staff, to approve or reject. */
export const appealsPage: AdminPage = {
  path: '/admin/appeals',
  section: 'appeals',
  isFirst: true,
  access: listAppeals.access,
  async read(visit) {
    const { texts } = visit
    const found = await read<Appeal[]>(visit, listAppeals, { ...filtered(visit, []), limit: String(PAGE) })
    const ids = found.map(({ act }) => act?.id ?? '')
    const cursors = { first: ids[0] ?? '', last: ids.at(-1) ?? '', isFull: found.length === PAGE }
    return {
      title: texts.sections.appeals,
      lead: texts.appeals.lead,
      body: html`${recordsPart(
        found.map((appeal) => appealRecord(appeal, visit)),
        texts.appeals.none,
      )}${pagerPart(visit, { cursors, style: { newer: 'min_id', whenever: 'full' } })}`,
    }
  },
  forms: { decide: { endpoint: decideAppeal, done: 'appealDecided' } },
}
