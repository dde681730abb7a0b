import { StaffStatusesDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { isId } from '@rookery/ids'
import { type Handler, handler } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { listStatuses } from './list-statuses.ts'
import { readAuthors } from './staff-status.store.ts'

/** The handlers of StaffStatuses. */
export const createStaffStatusesRpc = (deps: { database: Database<StatusesTables>; views: Views }): Handler => {
  const list = listStatuses(deps)
  return handler(StaffStatusesDefinition, {
    list: (_call, request) => list(request),
    readAuthors: async (_call, { statusIds }) => {
      const rows = await readAuthors(deps.database, { ids: statusIds.filter(isId) })
      return { authors: rows.map(({ id, authorId }) => ({ statusId: id, accountId: authorId })) }
    },
  })
}
