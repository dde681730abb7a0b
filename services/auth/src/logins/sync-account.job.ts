import type { AccountLifeDefinition, AccountsDefinition } from '@rookery/contracts/statuses'
import type { Database, Tx } from '@rookery/database'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import type { AuthTables } from '../database/schema.ts'
import { SERVICE } from '../service.ts'
import { hasJoined, isActive, type LoginMoments } from './login.rules.ts'
import { LoginReader } from './login.store.ts'

const SYNC_ACCOUNT = 'tell-statuses'

type Deps = {
  database: Database<AuthTables>
  statuses: { accounts: Client<AccountsDefinition>; accountLife: Client<AccountLifeDefinition> }
}

/** The timeout of making a joining account visible, in seconds. */
const SECONDS_TO_SHOW = 2

/** Adds the job that sends a login's state to statuses, with the transaction. */
export const requestSync = (tx: Tx<AuthTables>, accountId: string): Promise<void> =>
  addJob(tx, SERVICE, SYNC_ACCOUNT, { accountId }, { key: `${SYNC_ACCOUNT}:${accountId}` })

/** Makes an account that just joined visible in statuses at once; if the call fails, the job does it. */
export const showJoined = async ({ statuses }: Pick<Deps, 'statuses'>, login: LoginMoments & { accountId: string }): Promise<void> => {
  const state = { id: login.accountId, isActive: isActive(login), hasJoined: hasJoined(login) }
  await statuses.accounts.setActive(callWithin(SECONDS_TO_SHOW), state).catch(() => undefined)
}

/** Sends a login's activity and role to statuses. It reads the current state, so the jobs of an account may run in any order. */
export const syncAccount = (deps: Deps): Job =>
  job<{ accountId: string }>({
    name: SYNC_ACCOUNT,
    async run({ accountId }) {
      const login = await new LoginReader(deps.database.db).find(accountId)
      if (!login) return
      await deps.statuses.accounts.setActive(callWithin(10), { id: accountId, isActive: isActive(login), hasJoined: hasJoined(login) })
      await deps.statuses.accountLife.setRole(callWithin(10), { id: accountId, role: login.role })
    },
  })
