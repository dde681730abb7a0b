import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { adminDomainBlockEntity } from '@rookery/entities'
import { Staff } from '../http/access.ts'
import { endpoint, Reply, STATUS_LIST } from '../http/endpoint.ts'
import { flag, form, pageOf, paging, text } from '../http/fields.ts'
import { recordId } from './replies.ts'

const PATH = '/api/v1/admin/domain_blocks'
const reading = Staff(PERMISSIONS.manageFederation, 'admin:read:domain_blocks')
const writing = Staff(PERMISSIONS.manageFederation, 'admin:write:domain_blocks')

const settings = {
  severity: text(),
  reject_media: flag(),
  reject_reports: flag(),
  private_comment: text(),
  public_comment: text(),
  obfuscate: flag(),
}

type Settings = Partial<Record<'severity' | 'private_comment' | 'public_comment', string>> &
  Partial<Record<'reject_media' | 'reject_reports' | 'obfuscate', boolean>>

const settingsOf = (input: { [Name in keyof Settings]?: Settings[Name] | undefined }) => ({
  severity: input.severity,
  rejectMedia: input.reject_media,
  rejectReports: input.reject_reports,
  privateComment: input.private_comment,
  publicComment: input.public_comment,
  obfuscate: input.obfuscate,
})

export const listAdminDomainBlocks = endpoint({
  method: 'GET',
  path: PATH,
  access: reading,
  summary: 'Domains that are limited here.',
  input: form(paging(PAGE_SIZES.domains)),
  handle: async ({ call, input }, { blockedDomains }) => {
    const { blocks, cursors } = await blockedDomains.list(call, { page: pageOf(input) })
    return new Reply(blocks.map(adminDomainBlockEntity), { page: { cursors, style: STATUS_LIST } })
  },
})

export const readAdminDomainBlock = endpoint({
  method: 'GET',
  path: `${PATH}/:id`,
  access: reading,
  summary: 'A domain that is limited here.',
  handle: async ({ call, params }, { blockedDomains }) => adminDomainBlockEntity(await blockedDomains.read(call, { id: recordId(params) })),
})

export const createAdminDomainBlock = endpoint({
  method: 'POST',
  path: PATH,
  access: writing,
  summary: 'Limits a domain and its subdomains; 422 with the existing block where one as strict covers it.',
  input: form({ domain: text(), ...settings }),
  handle: async ({ call, input }, { blockedDomains }) => {
    const created = await blockedDomains.create(call, { domain: input.domain ?? '', settings: settingsOf(input) })
    const block = created.block && adminDomainBlockEntity(created.block)
    if (!created.isExisting) return block
    const error = `You have already imposed stricter limits on ${block?.domain}.`
    return new Reply({ error, existing_domain_block: block }, { status: 422 })
  },
})

export const changeAdminDomainBlock = endpoint({
  method: 'PUT',
  path: `${PATH}/:id`,
  access: writing,
  summary: 'Changes what limits a domain has here.',
  input: form(settings),
  handle: async ({ call, params, input }, { blockedDomains }) =>
    adminDomainBlockEntity(await blockedDomains.change(call, { id: recordId(params), settings: settingsOf(input) })),
})

export const deleteAdminDomainBlock = endpoint({
  method: 'DELETE',
  path: `${PATH}/:id`,
  access: writing,
  summary: 'Ends the limits of a domain.',
  handle: async ({ call, params }, { blockedDomains }) => {
    await blockedDomains.delete(call, { id: recordId(params) })
    return {}
  },
})
