import { MovesDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { acknowledging, type Handler, handler } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import { MoveReader } from './move.store.ts'
import { moveAccount, undoMove } from './move-account.ts'
import { addAlias, removeAlias } from './name-alias.ts'

/** Serves Moves of the contract: moves of local accounts. */
export const createAccountMigrationRpc = (deps: { database: Database<StatusesTables>; outbox: Outbox; baseUrl: string }): Handler => {
  const reader = new MoveReader(deps.database.db)
  return handler(MovesDefinition, {
    read: async (_call, { accountId }) => {
      const [movedTo, aliases] = await Promise.all([reader.movedTo(accountId), reader.aliases(accountId)])
      return { movedTo, aliases }
    },
    start: acknowledging(moveAccount(deps)),
    undo: acknowledging(undoMove(deps)),
    addAlias: acknowledging(addAlias(deps)),
    removeAlias: acknowledging(removeAlias(deps)),
  })
}
