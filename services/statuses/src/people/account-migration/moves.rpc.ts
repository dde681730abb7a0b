import { MovesDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Handler, handler } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import { MoveReader } from './move.store.ts'
import { moveAccount, undoMove } from './move-account.ts'
import { addAlias, removeAlias } from './name-alias.ts'

/** From one account of this server to another. */
export const createAccountMigrationRpc = (given: { database: Database<StatusesTables>; outbox: Outbox; baseUrl: string }): Handler => {
  const reader = new MoveReader(given.database.db)
  const acting =
    <Request>(act: (request: Request) => Promise<void>) =>
    async (_call: unknown, request: Request) => {
      await act(request)
      return {}
    }
  return handler(MovesDefinition, {
    read: async (_call, { accountId }) => {
      const [movedTo, aliases] = await Promise.all([reader.movedTo(accountId), reader.aliases(accountId)])
      return { movedTo, aliases }
    },
    start: acting(moveAccount(given)),
    undo: acting(undoMove(given)),
    addAlias: acting(addAlias(given)),
    removeAlias: acting(removeAlias(given)),
  })
}
