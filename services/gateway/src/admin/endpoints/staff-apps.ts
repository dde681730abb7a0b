import { PERMISSIONS } from '@rookery/contracts/permissions'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { form, id, limit, text } from '../../http/fields.ts'

// Staff endpoints for registered apps. The client API has none, so these are on no public route.

// Removing an app revokes people's tokens, so it takes the same permission as revoking those.
const permission = PERMISSIONS.manageUserAccess

export const listApps = endpoint({
  method: 'GET',
  path: '/admin/apps',
  access: Staff(permission, 'admin:read'),
  summary: 'Apps that are registered, the latest first.',
  input: form({ query: text(), max_id: id('max_id'), limit: limit({ standard: 50, max: 200 }) }),
  handle: ({ call, input }, { staffApps }) =>
    staffApps.list(call, { query: input.query ?? '', page: { maxId: input.max_id, limit: input.limit } }),
})

export const removeApp = endpoint({
  method: 'DELETE',
  path: '/admin/apps/:id',
  access: Staff(permission, 'admin:write'),
  summary: 'Removes an app with its tokens and grants.',
  handle: ({ call, params, viewerId }, { staffApps }) => staffApps.remove(call, { id: params['id'] ?? '', staffId: viewerId }),
})
