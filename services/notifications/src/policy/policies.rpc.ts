import { PoliciesDefinition } from '@rookery/contracts/notifications'
import type { ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Client, type Handler, handler } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { readPolicy } from './read-policy.ts'
import { updatePolicy } from './update-policy.ts'

/** Serves `Policies`. */
export const createPoliciesRpc = (deps: {
  database: Database<NotificationsTables>
  statuses: { views: Client<ViewsDefinition> }
}): Handler => {
  const read = readPolicy(deps)
  const update = updatePolicy(deps)
  return handler(PoliciesDefinition, {
    read: (call, { viewerId }) => read(call, viewerId),
    async update(call, request) {
      await update(request)
      return read(call, request.viewerId)
    },
  })
}
