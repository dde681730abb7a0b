import type { ListStaffAccountsRequest, StaffAccountPage, StaffLogin } from '@rookery/contracts/auth'
import type { AccountView } from '@rookery/contracts/statuses'
import { adminAccountJson, jsonList } from '@rookery/entities'
import type { Call } from '@rookery/rpc'
import type { Clients } from './clients.ts'
import { Reply, STATUS_LIST } from './http/endpoint.ts'
import { pageOf } from './http/fields.ts'

/** The JSON of accounts as staff see them, by id, in the given order. */
export const adminAccountsOf = (
  views: readonly AccountView[],
  logins: readonly StaffLogin[],
  { render, config: { inviters } }: Clients,
) => {
  const byId = new Map(logins.map((login) => [login.accountId, login]))
  return new Map(views.map((view) => [view.id, adminAccountJson(view, byId.get(view.id), { account: render.account(view), inviters })]))
}

/** The same, with one call for all logins. */
export const adminAccounts = async (call: Call, views: readonly AccountView[], clients: Clients) => {
  const { logins } = await clients.staffAccounts.readLogins(call, { accountIds: views.map(({ id }) => id) })
  return adminAccountsOf(views, logins, clients)
}

/** The filter of a list of accounts, without the page; undefined if no account can match, as for an unknown role. */
export type AccountFilter = Partial<Omit<ListStaffAccountsRequest, 'page'>> | undefined

/** Matches every account. */
export const NO_FILTER = {
  isNotSuspended: false,
  isPending: false,
  isDisabled: false,
  isSilenced: false,
  isSuspended: false,
  isSensitized: false,
  roles: [],
  username: '',
  displayName: '',
  email: '',
  address: '',
  isLocal: false,
  isRemote: false,
  domain: '',
  emailDomain: '',
  inviterId: '',
}

/** A page of accounts as staff see them. */
export const listedAccounts = async (call: Call, input: Parameters<typeof pageOf>[0], filter: AccountFilter, clients: Clients) => {
  if (!filter) return new Reply([])
  const page: StaffAccountPage = await clients.staffAccounts.listAccounts(call, { ...NO_FILTER, ...filter, page: pageOf(input) })
  const json = adminAccountsOf(page.accounts, page.logins, clients)
  return new Reply(jsonList([...json.values()]), { page: { cursors: page.cursors, style: STATUS_LIST } })
}
