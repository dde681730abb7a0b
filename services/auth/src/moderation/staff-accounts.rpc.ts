import { StaffAccountsDefinition } from '@rookery/contracts/auth'
import type { ModerationDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { isId } from '@rookery/ids'
import { type Client, type Handler, handler } from '@rookery/rpc'
import type { AuthTables } from '../database/schema.ts'
import { listAccounts } from './list-accounts.ts'
import { StaffLoginReader } from './staff-login.store.ts'

type Deps = { database: Database<AuthTables>; statuses: { moderation: Client<ModerationDefinition> } }

/** The service `StaffAccounts`: accounts as staff handle them (beyond-the-spec 2.6). */
export const staffAccountsRpc = (deps: Deps): Handler =>
  handler(StaffAccountsDefinition, {
    listAccounts: listAccounts(deps),
    readLogins: async (_call, { accountIds }) => ({
      logins: await new StaffLoginReader(deps.database.db).messages(accountIds.filter(isId)),
    }),
  })
