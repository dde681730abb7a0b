import type { BacklogDefinition } from '@rookery/contracts/events'
import { AccountBody, type AccountsDefinition, type StaffReportsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import type { StaffMailKind } from '../../accounts/notification-emails/index.ts'
import type { AuthTables } from '../../database/schema.ts'
import { AppealReader } from '../appeal.store.ts'
import { StaffLoginReader } from '../staff-login.store.ts'

/** The pending items of a kind: their number, and the latest ones. */
export type Waiting = {
  readonly count: number
  /** `who` is the handle of the account, `by` that of a report's author, otherwise empty; `path` is the staff page. */
  readonly latest: readonly { readonly who: string; readonly by: string; readonly path: string }[]
}

export type WaitingDeps = {
  database: Database<AuthTables>
  statuses: {
    accounts: Client<AccountsDefinition>
    staffReports: Client<StaffReportsDefinition>
    backlog: Client<BacklogDefinition>
  }
}

/** The page of items that a mail lists. */
const LATEST = { limit: 10 }

const CALL_SECONDS = 15

/** The request for all open reports. */
const OPEN_REPORTS = {
  ...{ page: LATEST, isResolved: false, accountId: '', targetId: '', targetHandle: '', category: '', assignedToId: '' },
  ...{ isUnassigned: false, countsOpen: false },
}

const waitingReports = async ({ statuses }: WaitingDeps, call: Call): Promise<Waiting> => {
  const [{ reports, accounts }, { forStaff }] = await Promise.all([
    statuses.staffReports.list(call, OPEN_REPORTS),
    statuses.backlog.read(call, {}),
  ])
  const handles = new Map(
    accounts.map(({ id, body }) => {
      const { username, origin } = AccountBody.decode(body)
      return [id, origin ? `${username}@${origin.domain}` : username]
    }),
  )
  const latest = reports.map(({ report }) => ({
    who: handles.get(report?.targetId ?? '') ?? '',
    by: handles.get(report?.accountId ?? '') ?? '',
    path: `/admin/reports/${report?.id}`,
  }))
  return { count: Math.max(forStaff, latest.length), latest }
}

/** Items for local accounts, with the path of their staff page. */
const named = async ({ statuses }: WaitingDeps, call: Call, accountIds: readonly string[], path: (id: string) => string) => {
  const { accounts } = await statuses.accounts.readUsernames(call, { ids: [...accountIds] })
  const usernames = new Map(accounts.map(({ id, username }) => [id, username]))
  return accountIds.flatMap((id) => {
    const who = usernames.get(id)
    return who ? [{ who, by: '', path: path(id) }] : []
  })
}

const waitingAppeals = async (deps: WaitingDeps, call: Call): Promise<Waiting> => {
  const reader = new AppealReader(deps.database.db)
  const [strikes, count] = await Promise.all([reader.pending(LATEST), reader.countPending()])
  const accountIds = strikes.map(({ accountId }) => accountId)
  return { count, latest: await named(deps, call, accountIds, () => '/admin/appeals') }
}

const PENDING = { isPending: true, isDisabled: false, roles: [], email: '', emailDomain: '', inviterId: '', range: '' }

const waitingSignUps = async (deps: WaitingDeps, call: Call): Promise<Waiting> => {
  const reader = new StaffLoginReader(deps.database.db)
  const [accountIds, count] = await Promise.all([reader.candidates(PENDING, LATEST), reader.countPending()])
  return { count, latest: await named(deps, call, accountIds, (id) => `/admin/accounts/${id}`) }
}

const READERS = { report: waitingReports, appeal: waitingAppeals, pendingAccount: waitingSignUps }

/** Reads the pending items of a kind. */
export const readWaiting = (deps: WaitingDeps, kind: StaffMailKind): Promise<Waiting> =>
  READERS[kind](deps, callWithin(CALL_SECONDS, `mail-staff-${kind}`))
