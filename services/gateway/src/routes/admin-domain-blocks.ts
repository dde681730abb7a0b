import { PERMISSIONS } from '@rookery/contracts/permissions'
import { adminDomainBlockEntity } from '@rookery/entities'
import type { z } from 'zod'
import { endpoint, Reply } from '../http/endpoint.ts'
import { flag, form, text } from '../http/fields.ts'
import { recordId } from './replies.ts'
import { staffRecords } from './staff-records.ts'

const records = staffRecords({
  name: 'domain_blocks',
  permission: PERMISSIONS.manageFederation,
  summaries: {
    list: 'Domains that are limited here.',
    read: 'A domain that is limited here.',
    delete: 'Ends the limits of a domain.',
  },
  entity: adminDomainBlockEntity,
  list: async (call, request, { blockedDomains }) => {
    const { blocks: items, cursors } = await blockedDomains.list(call, request)
    return { items, cursors }
  },
  read: (call, request, { blockedDomains }) => blockedDomains.read(call, request),
  remove: (call, request, { blockedDomains }) => blockedDomains.delete(call, request),
})
const { path, writing } = records

export const { list: listAdminDomainBlocks, read: readAdminDomainBlock, delete: deleteAdminDomainBlock } = records

const settings = form({
  severity: text(),
  reject_media: flag(),
  reject_reports: flag(),
  private_comment: text(),
  public_comment: text(),
  obfuscate: flag(),
})

const settingsOf = (input: z.output<typeof settings>) => ({
  severity: input.severity,
  rejectMedia: input.reject_media,
  rejectReports: input.reject_reports,
  privateComment: input.private_comment,
  publicComment: input.public_comment,
  obfuscate: input.obfuscate,
})

export const createAdminDomainBlock = endpoint({
  method: 'POST',
  path,
  access: writing,
  summary: 'Limits a domain and its subdomains; 422 with the existing block where one as strict covers it.',
  input: settings.extend({ domain: text() }),
  handle: async ({ call, input, viewerId }, { blockedDomains }) => {
    const request = { domain: input.domain ?? '', settings: settingsOf(input), staffId: viewerId }
    const created = await blockedDomains.create(call, request)
    const block = created.block && adminDomainBlockEntity(created.block)
    if (!created.isExisting) return block
    const error = `You have already imposed stricter limits on ${block?.domain}.`
    return new Reply({ error, existing_domain_block: block }, { status: 422 })
  },
})

export const changeAdminDomainBlock = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  access: writing,
  summary: 'Changes what limits a domain has here.',
  input: settings,
  handle: async ({ call, params, input, viewerId }, { blockedDomains }) =>
    adminDomainBlockEntity(await blockedDomains.change(call, { id: recordId(params), settings: settingsOf(input), staffId: viewerId })),
})
