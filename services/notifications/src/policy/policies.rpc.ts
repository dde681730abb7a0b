import { PoliciesDefinition } from '@rookery/contracts/notifications'
import type { Database } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { readPolicy } from './read-policy.ts'
import { updatePolicy } from './update-policy.ts'

/** The service `Policies`. */
export const createPoliciesRpc = (given: { database: Database<NotificationsTables> }): Handler => {
  const read = readPolicy(given)
  const update = updatePolicy(given)
  return handler(PoliciesDefinition, {
    read: (_call, { viewerId }) => read(viewerId),
    async update(_call, request) {
      await update(request)
      return read(request.viewerId)
    },
  })
}
