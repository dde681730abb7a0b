import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS, ROLES, type RoleName, rolesWith } from '@rookery/contracts/permissions'
import { Failure, invalid, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { Staff } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { flag, form, givenTexts, id, paging, text } from '../http/fields.ts'
import { adminAccounts, adminAccountsOf, listedAccounts, type NO_FILTER } from '../staff-accounts.ts'
import { refuseForeign, textFaults } from '../staff-warnings.ts'
import { recordId } from './replies.ts'

const PATH = '/api/v1/admin/accounts'
const reading = Staff(PERMISSIONS.manageUsers, 'admin:read:accounts')
const writing = Staff(PERMISSIONS.manageUsers, 'admin:write:accounts')

/** The roles that the API calls staff: those that handle reports. */
const STAFF = rolesWith(PERMISSIONS.manageReports)

const texts = { username: text(), display_name: text(), by_domain: text(), email: text(), ip: text() }

const textsOf = (input: Partial<Record<keyof typeof texts, string | undefined>>) => ({
  username: input.username ?? '',
  displayName: input.display_name ?? '',
  email: input.email ?? '',
  address: input.ip ?? '',
  domain: input.by_domain ?? '',
})

const states = { active: flag(), pending: flag(), disabled: flag(), silenced: flag(), suspended: flag(), sensitized: flag() }

const STATES = Object.keys(states) as (keyof typeof states)[]

/** The states of a filter. By default, suspended accounts are left out: clients of version 1 expect that. */
const statesOf = (input: Partial<Record<keyof typeof states, boolean | undefined>>) => ({
  isNotSuspended: input.active || !STATES.some((state) => input[state]),
  isPending: input.pending ?? false,
  isDisabled: input.disabled ?? false,
  isSilenced: input.silenced ?? false,
  isSuspended: input.suspended ?? false,
  isSensitized: input.sensitized ?? false,
})

export const listAdminAccountsV1 = endpoint({
  method: 'GET',
  path: PATH,
  access: reading,
  summary: 'Accounts for which all that is asked for is true, by default of this server and not suspended, latest first.',
  input: form({
    local: flag(),
    remote: flag(),
    ...states,
    staff: flag(),
    ...texts,
    ...paging(PAGE_SIZES.staff),
  }),
  handle: ({ call, input }, clients) => {
    const filter = {
      ...textsOf(input),
      ...statesOf(input),
      roles: input.staff ? STAFF : [],
      isLocal: !input.remote && (input.local || !input.by_domain),
      isRemote: input.remote ?? false,
    }
    return listedAccounts(call, input, filter, clients)
  },
})

const STATUSES: Readonly<Record<string, Partial<typeof NO_FILTER>>> = {
  active: { isNotSuspended: true },
  pending: { isPending: true },
  disabled: { isDisabled: true },
  silenced: { isSilenced: true },
  suspended: { isSuspended: true },
  sensitized: { isSensitized: true },
}

/** The meaning of a parameter's word; undefined if absent. @throws Failure malformed for an unknown word */
const worded = <Meaning>(name: string, word: string | undefined, meanings: Readonly<Record<string, Meaning>>): Meaning | undefined => {
  if (!word) return undefined
  if (!Object.hasOwn(meanings, word)) throw new Failure('malformed', `Unknown ${name}: ${word}`)
  return meanings[word]
}

const roleNamed = (id: string) => (Object.keys(ROLES) as RoleName[]).filter((name) => ROLES[name].id === id)

/** Roles by their ids, or those of staff; undefined for unknown roles. */
const rolesOf = (ids: readonly string[] | undefined, isStaff: boolean): readonly string[] | undefined => {
  const named = ids?.flatMap(roleNamed)
  if (!isStaff) return named?.length === 0 && ids?.length ? undefined : (named ?? [])
  const both = STAFF.filter((role) => !named?.length || named.includes(role))
  return both.length > 0 ? both : undefined
}

export const listAdminAccountsV2 = endpoint({
  method: 'GET',
  path: '/api/v2/admin/accounts',
  access: reading,
  summary: 'Accounts by where they are, their state, their roles, who invited them, and how names and addresses begin, latest first.',
  input: form({
    origin: text(),
    status: text(),
    permissions: text(),
    role_ids: givenTexts(),
    invited_by: text(),
    ...texts,
    ...paging(PAGE_SIZES.staff),
  }),
  handle: ({ call, input }, clients) => {
    const origin = worded('origin', input.origin, { local: { isLocal: true }, remote: { isRemote: true } })
    const roles = rolesOf(input.role_ids, worded('permissions', input.permissions, { staff: true }) ?? false)
    const status = worded('status', input.status, STATUSES)
    const filter = roles && { ...textsOf(input), ...status, ...origin, roles: [...roles], inviterId: input.invited_by ?? '' }
    return listedAccounts(call, input, filter, clients)
  },
})

/** An account as staff see it. @throws Failure not_found */
export const adminAccountReply = async (call: Call, id: string, clients: Clients): Promise<Buffer> => {
  const view = await clients.accounts.read(call, { id, viewerId: '', withNewcomers: true })
  return orNotFound((await adminAccounts(call, [view], clients)).get(id))
}

export const readAdminAccount = endpoint({
  method: 'GET',
  path: `${PATH}/:id`,
  access: reading,
  summary: 'An account with its login.',
  handle: ({ call, params }, clients) => adminAccountReply(call, recordId(params), clients),
})

type Warning = { text?: string; reportId?: string; sendsMail?: boolean }

const acted = async (
  call: Call,
  { accountId, staffId, action }: { accountId: string; staffId: string; action: string },
  clients: Clients,
  { text: words = '', reportId = '', sendsMail = false }: Warning = {},
): Promise<Buffer> => {
  const { accounts, logins } = await clients.staffAccounts.act(call, {
    accountId,
    staffId,
    action,
    text: words,
    reportId,
    sendsMail,
    statusIds: [],
  })
  return orNotFound(adminAccountsOf(accounts, logins, clients).get(accountId))
}

const acting = (action: string, summary: string) =>
  endpoint({
    method: 'POST',
    path: `${PATH}/:id/${action}`,
    access: writing,
    summary,
    handle: ({ call, params, viewerId }, clients) => acted(call, { accountId: recordId(params), staffId: viewerId, action }, clients),
  })

export const approveAccount = acting('approve', 'Lets someone in who waits for approval.')
export const rejectAccount = acting('reject', 'Turns away someone who waits for approval: nothing of the sign-up stays.')
export const enableAccount = acting('enable', 'Lets someone use their disabled login again.')
export const unsilenceAccount = acting('unsilence', 'Ends the limits of a silenced account.')
export const unsuspendAccount = acting('unsuspend', 'Shows a suspended account again, and lets the person in.')
export const unsensitiveAccount = acting('unsensitive', 'Ends the marking of all media of an account as sensitive.')

export const deleteAdminAccount = endpoint({
  method: 'DELETE',
  path: `${PATH}/:id`,
  // Deleting cannot be undone, so fewer roles may do it than suspend (beyond-the-spec 1.1, Role).
  access: Staff(PERMISSIONS.deleteUserData, 'admin:write:accounts'),
  summary: 'Deletes a suspended account with everything of it.',
  handle: ({ call, params, viewerId }, clients) =>
    acted(call, { accountId: recordId(params), staffId: viewerId, action: 'delete' }, clients),
})

const WARNINGS = new Set(['none', 'sensitive', 'disable', 'silence', 'suspend'])

/** @throws Failure not_found without such an account; invalid naming every fault */
const refuseFaulty = async (
  call: Call,
  { accountId, type, words }: { accountId: string; type: string; words: string },
  clients: Clients,
) => {
  const faults = [...(WARNINGS.has(type) ? [] : ['Type is not included in the list']), ...textFaults(words)]
  if (faults.length === 0) return
  await clients.accounts.read(call, { id: accountId, viewerId: '', withNewcomers: true })
  throw invalid(...faults)
}

export const actOnAdminAccount = endpoint({
  method: 'POST',
  path: `${PATH}/:id/action`,
  access: writing,
  summary: 'Warns someone, or limits their account, with a text, a mail and the report that it answers, which is resolved.',
  input: form({ type: text(), report_id: id('report_id'), text: text(), send_email_notification: flag() }),
  handle: async ({ call, params, input, viewerId }, clients) => {
    const accountId = recordId(params)
    const { type = '', text: words = '', report_id: reportId = '' } = input
    await refuseFaulty(call, { accountId, type, words }, clients)
    if (reportId) await refuseForeign(call, reportId, accountId, clients)
    const warning = { text: words, reportId, sendsMail: input.send_email_notification ?? true }
    await acted(call, { accountId, staffId: viewerId, action: type }, clients, warning)
    return {}
  },
})
