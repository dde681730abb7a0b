import type { AccountLifeDefinition, AccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import type { AuthTables } from '../../database/schema.ts'
import { hasJoined, type Logins } from '../../logins/index.ts'

export const FINISH_DELETIONS = 'finish-closings'

export type FinishDeps = {
  database: Database<AuthTables>
  logins: Logins
  statuses: { accounts: Client<AccountsDefinition>; accountLife: Client<AccountLifeDefinition> }
}

/**
 * Closes the account in statuses, then deletes the login; both steps are idempotent. A sign-up that never joined is withdrawn instead,
 * which frees its username.
 */
export const finishDeletion = async (deps: FinishDeps, accountId: string): Promise<void> => {
  const login = await deps.logins.find(accountId)
  if (!login) return
  if (hasJoined(login)) await deps.statuses.accountLife.close(callWithin(10), { id: accountId })
  else await deps.statuses.accounts.withdraw(callWithin(10), { id: accountId })
  await transact(deps.database.db, (tx) => deps.logins.remove(tx, accountId))
}

/** Finishes begun deletions: added with each deletion, and run by schedule in case a process died halfway. */
export const finishDeletions = (deps: FinishDeps): Job =>
  job<unknown>({
    name: FINISH_DELETIONS,
    cron: '*/5 * * * *',
    async run() {
      const failures: unknown[] = []
      for (const accountId of await deps.logins.closing()) {
        await finishDeletion(deps, accountId).catch((error) => failures.push(error))
      }
      if (failures.length > 0) throw new AggregateError(failures, 'some accounts could not be closed')
    },
  })
