import { StatusesDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notFound } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import type { EmojiFinder } from '../emojis/index.ts'
import type { Views } from '../views/index.ts'
import type { AttachmentClaims } from './attachment-claims.ts'
import { deleteStatus } from './delete-status.ts'
import { publishStatus } from './publish-status.ts'
import { readContext } from './read-context.ts'

type Given = {
  database: Database<StatusesTables>
  views: Views
  claims: AttachmentClaims
  findEmojis: EmojiFinder
  outbox: Outbox
  ids: Ids
  clock: Clock
  baseUrl: string
}

/** Publishing, reading and deleting statuses. */
export const createStatusesRpc = (given: Given): Handler => {
  const context = readContext(given)
  const remove = deleteStatus(given)
  return handler(StatusesDefinition, {
    publish: publishStatus(given),
    read: async (_call, { id, viewerId }) => {
      const page = await given.views.byIds(viewerId, [id], 'direct')
      if (page.items.length === 0) throw notFound(`status ${id} is not shown to ${viewerId || 'anonymous'}`)
      return page
    },
    delete: (_call, request) => remove(request),
    readContext: (_call, request) => context(request),
  })
}
