import { type ActOnAccountRequest, type StaffAccountPage, StaffAccountsDefinition } from '@rookery/contracts/auth'
import { isRoleName } from '@rookery/contracts/permissions'
import { AccountBody, type AccountLifeDefinition, type AccountsDefinition, type ModerationDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { Failure, invalid, notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { type Call, type Client, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import type { Tokens } from '../oauth/tokens/index.ts'
import { listApps, revokeAccountTokens } from './account-tokens.ts'
import { isActName, isEndName } from './act.rules.ts'
import type { AccountActs } from './index.ts'
import { listAccounts } from './list-accounts.ts'
import { listActs } from './list-acts.ts'
import { listAppeals } from './list-appeals.ts'
import { StaffLoginReader } from './staff-login.store.ts'

type Deps = {
  database: Database<AuthTables>
  statuses: {
    accounts: Client<AccountsDefinition>
    accountLife: Client<AccountLifeDefinition>
    moderation: Client<ModerationDefinition>
  }
  acts: AccountActs
  clock: Clock
  logins: Logins
  tokens: Tokens
}

/** A fallback for accounts without a login, which may be remote. */
const withoutLogin =
  <Result>(otherwise: () => Promise<Result>) =>
  (error: unknown): Promise<Result> => {
    if (error instanceof Failure && error.kind === 'not_found') return otherwise()
    throw error
  }

/** The service StaffAccounts (beyond-the-spec 2.6). */
export const createStaffAccountsRpc = (deps: Deps): Handler => {
  const reader = new StaffLoginReader(deps.database.db)
  const logins = (accountIds: readonly string[]) => reader.messages(accountIds.filter(isId))

  const { remote } = deps.acts
  const [appsOf, revoke] = [listApps(deps), revokeAccountTokens(deps)]

  const viewOf = async (call: Call, accountId: string) => {
    const { accounts } = await deps.statuses.moderation.listAccounts(call, { among: { ids: [accountId] } })
    return orNotFound(accounts[0], `no account ${accountId}`)
  }

  const act = async (call: Call, { accountId, staffId, action, ...warning }: ActOnAccountRequest): Promise<StaffAccountPage> => {
    const parties = { accountId, staffId }
    if (isEndName(action)) {
      const view = await viewOf(call, accountId)
      const before = { accounts: [view], logins: await logins([accountId]), cursors: undefined }
      const { username } = AccountBody.decode(view.body)
      await deps.acts.end(action, parties, `@${username}`).catch(withoutLogin(() => remote.remove(call, parties)))
      return before
    }
    if (!isActName(action)) throw invalid('Type is not included in the list')
    const acted = deps.acts.act(call, action, parties, warning).then(({ view }) => view)
    const view = await acted.catch(withoutLogin(() => remote.act(call, action, parties, warning)))
    return { accounts: [view ?? (await viewOf(call, accountId))], logins: await logins([accountId]), cursors: undefined }
  }

  return handler(StaffAccountsDefinition, {
    async changeRole(_call, { accountId, staffId, role }) {
      if (!isRoleName(role)) throw invalid('Role is not included in the list')
      if (!isId(accountId)) throw notFound(`${accountId} is no id`)
      await deps.acts.changeRole({ accountId, staffId }, role)
      return { logins: await logins([accountId]) }
    },
    listAccounts: listAccounts(deps),
    listActs: listActs(deps),
    listAppeals: listAppeals(deps),
    async decideAppeal(call, decision) {
      if (!isId(decision.id)) throw notFound(`${decision.id} is no id`)
      await deps.acts.decideAppeal(call, decision)
      return {}
    },
    listApps: (_call, { accountId }) => appsOf(accountId),
    revokeTokens: (_call, request) => revoke(request),
    readLogins: async (_call, { accountIds }) => ({ logins: await logins(accountIds) }),
    act,
  })
}
