import type { StaffLogin } from '@rookery/contracts/auth'
import type { AccountView } from '@rookery/contracts/statuses'
import { adminAccountJson } from '@rookery/entities'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'

/** The JSON of accounts as staff see them, by id, in the order given. */
export const adminAccountsOf = (views: readonly AccountView[], logins: readonly StaffLogin[], { render }: Clients) => {
  const byId = new Map(logins.map((login) => [login.accountId, login]))
  return new Map(views.map((view) => [view.id, adminAccountJson(view, byId.get(view.id), render.account(view))]))
}

/** The same with one call for the logins of all. */
export const adminAccounts = async (call: Call, views: readonly AccountView[], clients: Clients) => {
  const { logins } = await clients.staffAccounts.readLogins(call, { accountIds: views.map(({ id }) => id) })
  return adminAccountsOf(views, logins, clients)
}
