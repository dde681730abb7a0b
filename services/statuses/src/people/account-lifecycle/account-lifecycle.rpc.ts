import { AccountLifeDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { acknowledging, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { changeRole } from './change-role.ts'
import { closeAccount } from './close-account.ts'

/** Serves AccountLife of the contract: changes of accounts that auth decides after their opening. */
export const createAccountLifecycleRpc = (deps: { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }): Handler => {
  const close = closeAccount(deps)
  const setRole = changeRole(deps)
  return handler(AccountLifeDefinition, {
    close: acknowledging(close),
    setRole: acknowledging(setRole),
  })
}
