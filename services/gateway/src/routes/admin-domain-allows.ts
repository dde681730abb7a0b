import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { adminDomainAllowEntity } from '@rookery/entities'
import { Staff } from '../http/access.ts'
import { endpoint, Reply, STATUS_LIST } from '../http/endpoint.ts'
import { form, pageOf, paging, text } from '../http/fields.ts'
import { recordId } from './replies.ts'

const PATH = '/api/v1/admin/domain_allows'
const reading = Staff(PERMISSIONS.manageFederation, 'admin:read:domain_allows')
const writing = Staff(PERMISSIONS.manageFederation, 'admin:write:domain_allows')

export const listAdminDomainAllows = endpoint({
  method: 'GET',
  path: PATH,
  access: reading,
  summary: 'Domains that a server with an allow-list speaks with.',
  input: form(paging(PAGE_SIZES.domains)),
  handle: async ({ call, input }, { allowedDomains }) => {
    const { allows, cursors } = await allowedDomains.list(call, { page: pageOf(input) })
    return new Reply(allows.map(adminDomainAllowEntity), { page: { cursors, style: STATUS_LIST } })
  },
})

export const readAdminDomainAllow = endpoint({
  method: 'GET',
  path: `${PATH}/:id`,
  access: reading,
  summary: 'A domain of the allow-list.',
  handle: async ({ call, params }, { allowedDomains }) => adminDomainAllowEntity(await allowedDomains.read(call, { id: recordId(params) })),
})

export const createAdminDomainAllow = endpoint({
  method: 'POST',
  path: PATH,
  access: writing,
  summary: 'Allows a domain; answers with the entry, also where it was allowed before.',
  input: form({ domain: text() }),
  handle: async ({ call, input }, { allowedDomains }) =>
    adminDomainAllowEntity(await allowedDomains.create(call, { domain: input.domain ?? '' })),
})

export const deleteAdminDomainAllow = endpoint({
  method: 'DELETE',
  path: `${PATH}/:id`,
  access: writing,
  summary: 'Takes a domain off the allow-list, and answers with the entry.',
  handle: async ({ call, params }, { allowedDomains }) =>
    adminDomainAllowEntity(await allowedDomains.delete(call, { id: recordId(params) })),
})
