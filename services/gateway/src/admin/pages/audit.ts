import type { StaffAct } from '@rookery/contracts/auth'
import { html } from '@rookery/pages'
import { listActs } from '../endpoints/audit.ts'
import type { AdminPage } from '../page.ts'
import { filtered, pagerPart, type RecordParts, recordsPart, timePart } from '../parts.ts'
import { wordFor } from '../texts/index.ts'
import { read, type Visit } from '../visit.ts'

const PAGE = 50

const nameOf = (username: string, id: string) => (username ? `@${username}` : id)

/** The words for an act; its own name if there are none. */
export const actionOf = (action: string, { texts }: Visit): string => wordFor(texts.audit.actions, action)

const actRecord = (act: StaffAct, visit: Visit): RecordParts => {
  const { texts } = visit
  // For a deleted account the log has its handle, and there is no page.
  const hasEnded = act.username === '' && act.target.startsWith('@')
  const target = act.accountId && !hasEnded && html`<a href="/admin/accounts/${act.accountId}">${nameOf(act.username, act.accountId)}</a>`
  const report = act.reportId && html`<a href="/admin/reports/${act.reportId}">${texts.reports.title(act.reportId)}</a>`
  return {
    title: actionOf(act.action, visit),
    facts: [
      html`${act.staffId ? nameOf(act.staffUsername, act.staffId) : texts.operator} · ${timePart(visit, act.createdAtMilliseconds)}`,
      target || false,
      report || false,
      act.target,
      act.text,
    ],
  }
}

/** GET /admin/audit: the acts of staff and operators. */
export const auditPage: AdminPage = {
  path: '/admin/audit',
  section: 'audit',
  isFirst: true,
  access: listActs.access,
  async read(visit) {
    const { texts } = visit
    const acts = await read<StaffAct[]>(visit, listActs, { ...filtered(visit, []), limit: String(PAGE) })
    const cursors = { first: acts[0]?.id ?? '', last: acts.at(-1)?.id ?? '', isFull: acts.length === PAGE }
    return {
      title: texts.sections.audit,
      lead: texts.audit.lead,
      body: html`${recordsPart(
        acts.map((act) => actRecord(act, visit)),
        texts.none,
      )}${pagerPart(visit, { cursors, style: { newer: 'min_id', whenever: 'full' } })}`,
    }
  },
}
