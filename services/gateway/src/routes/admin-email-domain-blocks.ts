import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { emailDomainBlockEntity } from '@rookery/entities'
import { Staff } from '../http/access.ts'
import { endpoint, Reply, STATUS_LIST } from '../http/endpoint.ts'
import { form, pageOf, paging, text } from '../http/fields.ts'
import { recordId } from './replies.ts'

const PATH = '/api/v1/admin/email_domain_blocks'
const reading = Staff(PERMISSIONS.manageBlocks, 'admin:read:email_domain_blocks')
const writing = Staff(PERMISSIONS.manageBlocks, 'admin:write:email_domain_blocks')

export const listEmailDomainBlocks = endpoint({
  method: 'GET',
  path: PATH,
  access: reading,
  summary: 'Providers of e-mail addresses with which no one signs up, and the sign-ups they refused in seven days.',
  input: form(paging(PAGE_SIZES.domains)),
  handle: async ({ call, input }, { emailDomainBlocks }) => {
    const { blocks, cursors } = await emailDomainBlocks.list(call, { page: pageOf(input) })
    return new Reply(blocks.map(emailDomainBlockEntity), { page: { cursors, style: STATUS_LIST } })
  },
})

export const readEmailDomainBlock = endpoint({
  method: 'GET',
  path: `${PATH}/:id`,
  access: reading,
  summary: 'One of them.',
  handle: async ({ call, params }, { emailDomainBlocks }) =>
    emailDomainBlockEntity(await emailDomainBlocks.read(call, { id: recordId(params) })),
})

export const deleteEmailDomainBlock = endpoint({
  method: 'DELETE',
  path: `${PATH}/:id`,
  access: writing,
  summary: 'Ends a block.',
  handle: async ({ call, params }, { emailDomainBlocks }) => {
    await emailDomainBlocks.delete(call, { id: recordId(params) })
    return {}
  },
})

export const createEmailDomainBlock = endpoint({
  method: 'POST',
  path: PATH,
  access: writing,
  summary: 'Blocks addresses of a domain, its subdomains and the domains whose mail its servers take, from signing up.',
  input: form({ domain: text() }),
  handle: async ({ call, input }, { emailDomainBlocks }) =>
    emailDomainBlockEntity(await emailDomainBlocks.create(call, { domain: input.domain ?? '' })),
})
