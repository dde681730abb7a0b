import { PERMISSIONS } from '@rookery/contracts/permissions'
import { adminDomainAllowEntity } from '@rookery/entities'
import { endpoint } from '../http/endpoint.ts'
import { form, text } from '../http/fields.ts'
import { staffRecords } from './staff-records.ts'

const records = staffRecords({
  name: 'domain_allows',
  permission: PERMISSIONS.manageFederation,
  summaries: {
    list: 'Domains that a server with an allow-list speaks with.',
    read: 'A domain of the allow-list.',
    delete: 'Takes a domain off the allow-list, and answers with the entry.',
  },
  entity: adminDomainAllowEntity,
  list: async (call, request, { allowedDomains }) => {
    const { allows: items, cursors } = await allowedDomains.list(call, request)
    return { items, cursors }
  },
  read: (call, request, { allowedDomains }) => allowedDomains.read(call, request),
  remove: async (call, request, { allowedDomains }) => adminDomainAllowEntity(await allowedDomains.delete(call, request)),
})
const { path, writing } = records

export const { list: listAdminDomainAllows, read: readAdminDomainAllow, delete: deleteAdminDomainAllow } = records

export const createAdminDomainAllow = endpoint({
  method: 'POST',
  path,
  access: writing,
  summary: 'Allows a domain; answers with the entry, also where it was allowed before.',
  input: form({ domain: text() }),
  handle: async ({ call, input, viewerId }, { allowedDomains }) =>
    adminDomainAllowEntity(await allowedDomains.create(call, { domain: input.domain ?? '', staffId: viewerId })),
})
