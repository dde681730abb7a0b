import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { form, id, limit, text } from '../../http/fields.ts'

// Staff endpoints for all invitations. The client API has none, so these are on no public route.

const STATES: Readonly<Record<string, boolean>> = { good: true, over: false }

export const listInvites = endpoint({
  method: 'GET',
  path: '/admin/invites',
  access: Staff(PERMISSIONS.manageInvites, 'admin:read'),
  summary: 'Invitations, the latest first.',
  input: form({ state: text(), max_id: id('max_id'), limit: limit(PAGE_SIZES.staff) }),
  handle: ({ call, input }, { invites }) =>
    invites.list(call, { isGood: STATES[input.state ?? ''], page: { maxId: input.max_id, limit: input.limit } }),
})

export const endInvite = endpoint({
  method: 'DELETE',
  path: '/admin/invites/:id',
  access: Staff(PERMISSIONS.manageInvites, 'admin:write'),
  summary: 'Ends an invitation.',
  handle: async ({ call, params, viewerId: staffId }, { invites }) => {
    await invites.end(call, { id: params['id'] ?? '', staffId })
    return {}
  },
})
