import { StatusesDefinition } from '@rookery/contracts/statuses'
import { notFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import { deleteStatus } from './delete-status.ts'
import { type PublishDeps, publishStatus } from './publish-status.ts'
import { readContext } from './read-context.ts'

/** Serves Statuses of the contract: publishing, reading and deleting. */
export const createStatusesRpc = (deps: PublishDeps): Handler => {
  const context = readContext(deps)
  const remove = deleteStatus(deps)
  return handler(StatusesDefinition, {
    publish: publishStatus(deps),
    read: async (_call, { id, viewerId }) => {
      const page = await deps.views.byIds(viewerId, [id], 'direct')
      if (page.items.length === 0) throw notFound(`status ${id} is not shown to ${viewerId || 'anonymous'}`)
      return page
    },
    delete: remove,
    readContext: (_call, request) => context(request),
  })
}
