import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { AuthTables } from '../database/schema.ts'
import { type Login, LoginReader } from './login.store.ts'
import { usernameIn } from './login-name.rules.ts'

type Deps = { database: Database<AuthTables>; statuses: { accounts: Client<AccountsDefinition> }; host: string }

/** Finds a login by e-mail address or username. @throws Failure unavailable if statuses is unreachable */
export const findNamed =
  ({ database, statuses, host }: Deps) =>
  async (call: Call, typed: string): Promise<Login | undefined> => {
    const reader = new LoginReader(database.db)
    const byEmail = typed.includes('@') ? await reader.findByEmail(typed) : undefined
    if (byEmail) return byEmail
    const username = usernameIn(typed, host)
    if (username === undefined) return undefined
    const { accounts } = await statuses.accounts.readUsernames(call, { usernames: [username] })
    return accounts[0] && reader.find(accounts[0].id)
  }
