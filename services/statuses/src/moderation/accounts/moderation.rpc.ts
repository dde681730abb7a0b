import { ModerationDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { applyAct } from './apply-act.ts'
import { listAccounts } from './list-accounts.ts'

/** The handlers of Moderation: accounts, for staff. */
export const createModerationRpc = (deps: {
  database: Database<StatusesTables>
  clock: Clock
  views: Views
  outbox: Outbox
  baseUrl: string
}): Handler => {
  const list = listAccounts(deps)
  const apply = applyAct(deps)
  return handler(ModerationDefinition, { listAccounts: (_call, request) => list(request), applyAct: (_call, request) => apply(request) })
}
