import { ModerationDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { listAccounts } from './list-accounts.ts'

/** Accounts as staff handle them. */
export const createModerationRpc = (deps: { database: Database<StatusesTables>; views: Views }): Handler => {
  const list = listAccounts(deps)
  return handler(ModerationDefinition, { listAccounts: (_call, request) => list(request) })
}
