import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import { ownCall } from '../calls.ts'
import type { AuthTables } from '../database/schema.ts'
import { isActive } from './login.rules.ts'
import { LoginReader } from './login.store.ts'

export const TELL_STATUSES = 'tell-statuses'

type Given = { database: Database<AuthTables>; statuses: { accounts: Client<AccountsDefinition> } }

/** Tells statuses whether a person is active. It says what is true when it runs, so jobs of one person may run in any order. */
export const tellStatuses = (given: Given): Job =>
  job<{ accountId: string }>({
    name: TELL_STATUSES,
    async run({ accountId }) {
      const login = await new LoginReader(given.database.db).find(accountId)
      if (login) await given.statuses.accounts.setActive(ownCall(10), { id: accountId, isActive: isActive(login) })
    },
  })
