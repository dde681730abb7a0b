import { AutomaticDeletionDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { changeDeletionPolicy, readDeletionPolicy } from './change-deletion-policy.ts'
import { NO_DELETION } from './deletion-policy.rules.ts'

/** Serves AutomaticDeletion of the contract. */
export const createAutomaticDeletionRpc = (deps: { database: Database<StatusesTables>; clock: Clock }): Handler => {
  const read = readDeletionPolicy(deps)
  const change = changeDeletionPolicy(deps)
  return handler(AutomaticDeletionDefinition, {
    read: (_call, { accountId }) => read(accountId),
    change: (_call, { accountId, policy }) => change(accountId, policy ?? NO_DELETION),
  })
}
