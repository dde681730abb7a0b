import { AccountLifeDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { changeRole } from './change-role.ts'
import { closeAccount } from './close-account.ts'

/** What auth decides about accounts after they were opened. */
export const createAccountLifecycleRpc = (given: { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }): Handler => {
  const close = closeAccount(given)
  const setRole = changeRole(given)
  return handler(AccountLifeDefinition, {
    close: async (_call, request) => {
      await close(request)
      return {}
    },
    setRole: async (_call, request) => {
      await setRole(request)
      return {}
    },
  })
}
