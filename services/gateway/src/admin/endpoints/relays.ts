import { PERMISSIONS } from '@rookery/contracts/permissions'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { form, text } from '../../http/fields.ts'

// Staff endpoints for relays. The client API has none, so these are on no public route.

const PATH = '/admin/domains/relays'
const access = Staff(PERMISSIONS.manageFederation, 'admin:write')

export const listRelays = endpoint({
  method: 'GET',
  path: PATH,
  access: Staff(PERMISSIONS.manageFederation, 'admin:read'),
  summary: 'Relays, the latest first, and what they answered.',
  handle: async ({ call }, { relays }) => (await relays.list(call, {})).relays,
})

export const addRelay = endpoint({
  method: 'POST',
  path: `${PATH}/add`,
  access,
  summary: 'Asks a relay for a subscription; one that did not accept is asked again.',
  input: form({ inbox: text() }),
  handle: ({ call, input, viewerId }, { relays }) => relays.add(call, { inbox: input.inbox ?? '', staffId: viewerId }),
})

export const removeRelay = endpoint({
  method: 'DELETE',
  path: `${PATH}/:id`,
  access,
  summary: 'Ends the subscription to a relay.',
  handle: ({ call, params, viewerId }, { relays }) => relays.remove(call, { id: params['id'] ?? '', staffId: viewerId }),
})
