import type { ListActsRequest, StaffAct, StaffActList } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { type Page, rowsWithin } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { StaffActRow } from './act.store.ts'

export type NamingDeps = { statuses: { accounts: Client<AccountsDefinition> } }
type Deps = NamingDeps & { acts: { log: (page: Page) => Promise<StaffActRow[]> } }

const SIZES = { standard: 100, max: 1000 }

/** Acts as messages, with the usernames of actors and accounts: one call. */
export const nameActs = async ({ statuses }: NamingDeps, call: Call, rows: readonly StaffActRow[]): Promise<StaffAct[]> => {
  const ids = [...new Set(rows.flatMap(({ actorId, accountId }) => [actorId ?? [], accountId ?? []].flat()))]
  const { accounts } = await statuses.accounts.readUsernames(call, { ids })
  const usernames = new Map(accounts.map(({ id, username }) => [id, username]))
  return rows.map((row) => ({
    id: row.id,
    staffId: row.actorId ?? '',
    staffUsername: usernames.get(row.actorId ?? '') ?? '',
    action: row.action,
    accountId: row.accountId ?? '',
    username: usernames.get(row.accountId ?? '') ?? '',
    target: row.target,
    text: row.text,
    reportId: row.reportId ?? '',
    createdAtMilliseconds: row.createdAt.getTime(),
  }))
}

/** A page of the log of staff and operators, latest first, with usernames: one statement and one call. */
export const listActs =
  (deps: Deps) =>
  async (call: Call, { page }: ListActsRequest): Promise<StaffActList> => ({
    acts: await nameActs(deps, call, await deps.acts.log({ ...page, limit: rowsWithin(SIZES, page?.limit || SIZES.standard) })),
  })
