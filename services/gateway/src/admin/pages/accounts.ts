import type { AppInUse } from '@rookery/contracts/auth'
import { holds, PERMISSIONS } from '@rookery/contracts/permissions'
import { type Html, html, inReadingOrder } from '@rookery/pages'
import { Staff } from '../../http/access.ts'
import { api } from '../api.ts'
import { decideSignUps, listPending } from '../endpoints/approvals.ts'
import { listAccountApps, revokeAccountTokens } from '../endpoints/apps.ts'
import { changeRole } from '../endpoints/roles.ts'
import type { AdminAccount, AdminReport } from '../entities.ts'
import { type Field, warningFields } from '../fields.ts'
import { type Origin, originsOf } from '../origins.rules.ts'
import type { AdminPage, Form } from '../page.ts'
import {
  actPart,
  type Button,
  choicePart,
  factsPart,
  filtered,
  filterPart,
  folded,
  formPart,
  manyPart,
  numberOf,
  pagerPart,
  recordsPart,
  timePart,
} from '../parts.ts'
import { accountRecord, filesOfAccounts, marksOf, mayAct, nameOf, namePart, recordFacts } from '../people.ts'
import { roleNamed, roleOf, rolesToGive } from '../rank.rules.ts'
import { ask, read, type Visit } from '../visit.ts'
import { filesOfReports, reportRecord, reportsPath } from './report-record.ts'

const access = Staff(PERMISSIONS.manageUsers, 'admin:read:accounts')
const PAGE = 40
/** Sign-ups per page, large enough to decide a wave of them on a few pages. */
const PENDING_PAGE = 100
/** Maximum origins shown. */
const MAX_ORIGINS = 8

const APPROVALS: Readonly<Record<string, Form>> = {
  approve: { endpoint: api('POST /api/v1/admin/accounts/:id/approve'), done: 'approved' },
  reject: {
    endpoint: api('POST /api/v1/admin/accounts/:id/reject'),
    done: 'rejected',
    final: () => 'rejectSignUp',
    next: ({ path }) => (path === '/admin/approvals' ? path : '/admin/accounts'),
  },
}

const approvalActs = (visit: Visit, { id, username }: { id: string; username: string }): Html[] => [
  actPart(visit, { form: 'approve', label: visit.texts.approvals.approve, values: { id } }),
  actPart(visit, { form: 'reject', label: visit.texts.approvals.reject, values: { id }, about: `@${username}`, kind: 'danger' }),
]

const listOf = async (visit: Visit, values: Record<string, unknown>) => {
  const { body, page } = await ask(visit, api('GET /api/v2/admin/accounts'), { ...values, limit: String(PAGE) })
  return { accounts: body as AdminAccount[], page }
}

const originFields = ({ texts }: Visit): Field[] => [
  { name: 'email_domain', label: texts.approvals.emailDomain, kind: 'search' },
  { name: 'ip', label: texts.accounts.ip, kind: 'search' },
]

const manyButtons = ({ texts }: Visit): Button[] => [
  { label: texts.approvals.approveChosen, kind: 'quiet', name: 'decision', value: 'approve' },
  { label: texts.approvals.rejectChosen, kind: 'danger', name: 'decision', value: 'reject' },
]

/** An origin, with the decision on all of its sign-ups, on this page and beyond. */
const originRecord = (visit: Visit, { kind, value, count }: Origin) => ({
  title: value,
  href: `${visit.path}?${new URLSearchParams({ [kind]: value })}`,
  facts: [visit.texts.approvals.origins[kind], visit.texts.approvals.onThisPage(numberOf(visit, count))],
  acts: [
    actPart(visit, {
      form: 'many',
      label: visit.texts.approvals.rejectAll,
      values: { [kind]: value, decision: 'reject' },
      about: value,
      kind: 'danger' as const,
    }),
  ],
})

const originsPart = (visit: Visit, accounts: readonly AdminAccount[]): Html | undefined => {
  const origins = originsOf(accounts).slice(0, MAX_ORIGINS)
  if (origins.length === 0) return undefined
  const { approvals } = visit.texts
  return folded(
    approvals.together,
    recordsPart(
      origins.map((origin) => originRecord(visit, origin)),
      '',
    ),
    visit.query.has('email_domain') || visit.query.has('ip'),
  )
}

/** GET /admin/approvals: pending sign-ups. */
export const approvalsPage: AdminPage = {
  path: '/admin/approvals',
  section: 'approvals',
  isFirst: true,
  access,
  async read(visit) {
    const { texts } = visit
    const values = { ...filtered(visit, ['email_domain', 'ip']), limit: String(PENDING_PAGE) }
    const { body, page } = await ask(visit, listPending, values)
    const accounts = body as AdminAccount[]
    const records = accounts.map((account) => ({
      ...accountRecord(account, texts),
      // Everyone on this page is pending.
      marks: marksOf(account, texts).filter((mark) => mark !== texts.accounts.statuses.pending),
      choice: choicePart(visit, { name: 'account_ids', value: account.id, label: texts.choose.one(nameOf(account)) }),
      facts: [...recordFacts(account), account.ip ?? '', timePart(visit, account.created_at)],
      body: html`<div class="said quoted">${account.invite_request ?? texts.approvals.noReason}</div>`,
      acts: approvalActs(visit, account),
    }))
    return {
      title: texts.sections.approvals,
      lead: texts.approvals.lead,
      body: html`${filterPart(visit, originFields(visit), texts.filter)}
${originsPart(visit, accounts)}
${records.length > 1 && manyPart(visit, { form: 'many', buttons: manyButtons(visit) })}
${recordsPart(records, texts.approvals.none)}${pagerPart(visit, page)}`,
      files: filesOfAccounts(accounts),
    }
  },
  forms: {
    ...APPROVALS,
    // All sign-ups of an origin, most of them not on this page.
    many: {
      endpoint: decideSignUps,
      done: 'decided',
      final: ({ decision, account_ids: ids, email_domain: domain, ip }) =>
        decision === 'reject' && (ids || domain || ip) ? 'rejectSignUps' : undefined,
      isDangerous: (values) => Boolean(values['email_domain'] || values['ip']),
    },
  },
}

const filterFields = ({ texts }: Visit): Field[] => [
  { name: 'status', label: texts.accounts.status, kind: 'choice', options: [['', texts.any], ...Object.entries(texts.accounts.statuses)] },
  {
    name: 'permissions',
    label: texts.accounts.permissions,
    kind: 'choice',
    options: [
      ['', texts.any],
      ['staff', texts.accounts.staff],
    ],
  },
  { name: 'username', label: texts.accounts.username, kind: 'search' },
  { name: 'display_name', label: texts.accounts.displayName, kind: 'search' },
  { name: 'email', label: texts.accounts.email, kind: 'search' },
  { name: 'ip', label: texts.accounts.ip, kind: 'search' },
]

/** GET /admin/accounts: accounts that match a filter. */
export const accountsPage: AdminPage = {
  path: '/admin/accounts',
  section: 'accounts',
  isFirst: true,
  access,
  async read(visit) {
    const { texts } = visit
    const fields = filterFields(visit)
    const { accounts, page } = await listOf(visit, filtered(visit, [...fields.map(({ name }) => name), 'invited_by']))
    return {
      title: texts.sections.accounts,
      body: html`${filterPart(visit, fields, texts.filter)}
${recordsPart(
  accounts.map((account) => accountRecord(account, texts)),
  texts.none,
)}${pagerPart(visit, page)}`,
      files: filesOfAccounts(accounts),
    }
  },
}

/** The acts that undo another, with the state in which they apply. */
const UNDOING = [
  ['enable', ({ disabled, suspended }: AdminAccount) => disabled && !suspended],
  ['unsilence', ({ silenced }: AdminAccount) => silenced],
  ['unsuspend', ({ suspended }: AdminAccount) => suspended],
  ['unsensitive', ({ sensitized }: AdminAccount) => sensitized],
] as const

/** The fields and buttons of a warning or a limit. */
export const warningParts = ({ texts }: Visit) => ({
  fields: warningFields(texts),
  buttons: Object.entries(texts.accounts.acts).map(([value, label]) => ({
    label,
    name: 'type',
    value,
    kind: value === 'suspend' || value === 'disable' ? ('danger' as const) : ('quiet' as const),
  })),
})

const reportsPart = (visit: Visit, title: string, reports: readonly AdminReport[]): Html | undefined =>
  reports.length > 0
    ? html`<h2>${title}</h2>${recordsPart(
        reports.map((report) => reportRecord(report, visit)),
        '',
      )}`
    : undefined

const rolePart = (visit: Visit, account: AdminAccount): Html | undefined => {
  const { accounts } = visit.texts
  const { accountId, role } = visit.holder
  const held = roleOf(account)
  const roles = rolesToGive({ accountId, role: roleNamed(role) }, { accountId: account.id, role: held })
  if (roles.length === 0) return undefined
  const options = roles.map((name) => [name, accounts.roles[name]] as const)
  const choice = { name: 'role', label: accounts.role, kind: 'choice', value: held, options } as const
  return folded(
    accounts.role,
    formPart(visit, { form: 'role', fields: [choice], buttons: [{ label: visit.texts.change, kind: 'danger' }] }),
  )
}

/** The apps that hold tokens of the account, with buttons to revoke them. */
const appsPart = async (visit: Visit, account: AdminAccount): Promise<Html> => {
  const { accounts } = visit.texts
  const { id } = account
  const isBelow = mayAct(visit, account)
  const apps = await read<AppInUse[]>(visit, listAccountApps, { id })
  const records = apps.map((app) => ({
    title: inReadingOrder(app.name),
    facts: [app.website, accounts.tokens(numberOf(visit, app.tokens)), timePart(visit, app.sinceMilliseconds)],
    acts: [isBelow && actPart(visit, { form: 'revoke', label: accounts.revoke, values: { app_id: app.id } })],
  }))
  const all = apps.length > 1 && isBelow && actPart(visit, { form: 'revoke', label: accounts.revokeAll, kind: 'danger' })
  return folded(accounts.apps, html`${recordsPart(records, accounts.noApps)}${all}`)
}

/** The acts that the person of the visit may take on the account. */
const actsPart = (visit: Visit, account: AdminAccount): Html => {
  const { accounts } = visit.texts
  if (!mayAct(visit, account)) return html`<h2>${accounts.act}</h2><p class="small">${accounts.outranked}</p>`
  const undoing = UNDOING.filter(([, fits]) => fits(account)).map(([form]) => actPart(visit, { form, label: accounts[form] }))
  const mayDelete = account.suspended && holds(visit.holder.permissions, PERMISSIONS.deleteUserData)
  const deletion = { form: 'delete', label: accounts.delete, about: `@${account.username}`, kind: 'danger' } as const
  return html`${!account.approved && html`<div class="buttons">${approvalActs(visit, account)}</div>`}
${undoing.length > 0 && html`<h2>${accounts.undo}</h2><div class="buttons">${undoing}</div>`}
<h2>${accounts.act}</h2>
${formPart(visit, { form: 'warn', ...warningParts(visit) })}
${mayDelete && folded(accounts.delete, actPart(visit, deletion))}`
}

const REPORTS = 10

/** A link to the account of the inviter, if it still exists. */
const inviterPart = async (visit: Visit, { invited_by_account_id: id }: AdminAccount): Promise<Html | undefined> => {
  if (!id) return undefined
  const inviter = await read<AdminAccount>(visit, api('GET /api/v1/admin/accounts/:id'), { id }).catch(() => undefined)
  return inviter && html`<a href="/admin/accounts/${id}">${nameOf(inviter)}</a>`
}

/** GET /admin/accounts/:id: an account, and acts on it. */
export const accountPage: AdminPage = {
  path: '/admin/accounts/:id',
  section: 'accounts',
  access,
  async read(visit) {
    const { texts, params } = visit
    const account = await read<AdminAccount>(visit, api('GET /api/v1/admin/accounts/:id'), params)
    const reportsOf = (side: string) =>
      read<AdminReport[]>(visit, api('GET /api/v1/admin/reports'), { [side]: account.id, limit: String(REPORTS) })
    const [about, by, inviter] = await Promise.all([reportsOf('target_account_id'), reportsOf('account_id'), inviterPart(visit, account)])
    const { accounts } = texts
    const facts = factsPart([
      [accounts.mailAddress, account.email],
      [accounts.joined, timePart(visit, account.created_at)],
      [accounts.signedUpFrom, account.ip ?? ''],
      [accounts.language, account.locale ?? ''],
      [accounts.inviter, inviter],
      [
        accounts.invitees,
        account.domain === null ? html`<a href="/admin/accounts?invited_by=${account.id}">${accounts.showInvitees}</a>` : '',
      ],
      [accounts.posts, html`<a href="/admin/accounts/${account.id}/statuses">${numberOf(visit, account.account.statuses_count)}</a>`],
      [accounts.followers, numberOf(visit, account.account.followers_count)],
      [accounts.profile, html`<a href="${account.account.url}">@${account.username}</a>`],
    ])
    const body = html`${recordsPart([{ ...accountRecord(account, texts), href: undefined, marks: marksOf(account, texts) }], '')}
${facts}
${account.invite_request && html`<h2>${texts.approvals.reason}</h2><div class="said quoted">${account.invite_request}</div>`}
${actsPart(visit, account)}
${holds(visit.holder.permissions, PERMISSIONS.manageUserAccess) && (await appsPart(visit, account))}
${holds(visit.holder.permissions, PERMISSIONS.manageRoles) && rolePart(visit, account)}
${reportsPart(visit, accounts.reportsAbout, about)}
${about.length > 0 && html`<p><a href="${reportsPath(account)}">${texts.reports.allAbout}</a></p>`}
${reportsPart(visit, accounts.reportsBy, by)}`
    return {
      title: nameOf(account),
      heading: namePart(account),
      body,
      files: [...filesOfAccounts([account]), ...filesOfReports([...about, ...by])],
    }
  },
  forms: {
    ...APPROVALS,
    revoke: { endpoint: revokeAccountTokens, done: 'revoked' },
    role: { endpoint: changeRole, done: 'changed', isDangerous: () => true },
    warn: { endpoint: api('POST /api/v1/admin/accounts/:id/action'), done: 'acted' },
    enable: { endpoint: api('POST /api/v1/admin/accounts/:id/enable'), done: 'acted' },
    unsilence: { endpoint: api('POST /api/v1/admin/accounts/:id/unsilence'), done: 'acted' },
    unsuspend: { endpoint: api('POST /api/v1/admin/accounts/:id/unsuspend'), done: 'acted' },
    unsensitive: { endpoint: api('POST /api/v1/admin/accounts/:id/unsensitive'), done: 'acted' },
    delete: {
      endpoint: api('DELETE /api/v1/admin/accounts/:id'),
      done: 'deleted',
      next: () => '/admin/accounts',
      final: () => 'deleteAccount',
      isDangerous: () => true,
    },
  },
}
