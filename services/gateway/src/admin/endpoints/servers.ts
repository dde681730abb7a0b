import type { RefreshActorRequest } from '@rookery/contracts/federation'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { flag, form, text } from '../../http/fields.ts'

// Staff endpoints for other servers and their delivery backlogs. The client API has none, so these are on no public route.

const PATH = '/admin/domains/servers'
const reading = Staff(PERMISSIONS.manageFederation, 'admin:read')
const access = Staff(PERMISSIONS.manageFederation, 'admin:write')

export const listServers = endpoint({
  method: 'GET',
  path: PATH,
  access: reading,
  summary: 'Other servers in alphabetical order, with what waits for them.',
  input: form({ after: text(), begins_with: text(), failing: flag() }),
  handle: async ({ call, input }, { otherServers }) => {
    const request = { afterDomain: input.after ?? '', beginsWith: input.begins_with ?? '', failing: input.failing ?? false }
    return (await otherServers.listPeers(call, request)).peers
  },
})

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/admin/domains/servers/deliveries',
  access: reading,
  summary: 'The oldest deliveries that wait, of one domain when it is named.',
  input: form({ domain: text() }),
  handle: async ({ call, input }, { otherServers }) => (await otherServers.listDeliveries(call, { domain: input.domain ?? '' })).deliveries,
})

const domain = form({ domain: text() })

export const retryServer = endpoint({
  method: 'POST',
  path: `${PATH}/retry`,
  access,
  summary: 'Asks a server for which something waits again now; all that fail when none is named.',
  input: domain,
  handle: ({ call, input, viewerId }, { otherServers }) => otherServers.retry(call, { domain: input.domain ?? '', staffId: viewerId }),
})

export const dropDeliveries = endpoint({
  method: 'POST',
  path: `${PATH}/drop`,
  access,
  summary: 'Gives up all deliveries that wait for a server.',
  input: domain,
  handle: ({ call, input, viewerId }, { otherServers }) => otherServers.drop(call, { domain: input.domain ?? '', staffId: viewerId }),
})

export const purgeDomain = endpoint({
  method: 'POST',
  path: `${PATH}/purge`,
  access,
  summary: 'Has the people of a server and its subdomains removed, with what they said and did here.',
  input: domain,
  handle: ({ call, input, viewerId }, { otherServers }) => otherServers.purge(call, { domain: input.domain ?? '', staffId: viewerId }),
})

export const refreshPerson = endpoint({
  method: 'POST',
  path: `${PATH}/refresh`,
  access,
  summary: 'Reads a person of another server again, by handle or by the address of their actor.',
  input: form({ address: text() }),
  handle: ({ call, input }, { otherServers }) => {
    const request: RefreshActorRequest = { address: input.address ?? '' }
    return otherServers.refresh(call, request)
  },
})
