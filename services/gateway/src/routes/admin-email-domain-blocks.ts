import { PERMISSIONS } from '@rookery/contracts/permissions'
import { emailDomainBlockEntity } from '@rookery/entities'
import { endpoint } from '../http/endpoint.ts'
import { form, text } from '../http/fields.ts'
import { staffRecords } from './staff-records.ts'

const records = staffRecords({
  name: 'email_domain_blocks',
  permission: PERMISSIONS.manageBlocks,
  summaries: {
    list: 'Providers of e-mail addresses with which no one signs up, and the sign-ups they refused in seven days.',
    read: 'One of them.',
    delete: 'Ends a block.',
  },
  entity: emailDomainBlockEntity,
  list: async (call, request, { emailDomainBlocks }) => {
    const { blocks: items, cursors } = await emailDomainBlocks.list(call, request)
    return { items, cursors }
  },
  read: (call, request, { emailDomainBlocks }) => emailDomainBlocks.read(call, request),
  remove: (call, request, { emailDomainBlocks }) => emailDomainBlocks.delete(call, request),
})
const { path, writing } = records

export const { list: listEmailDomainBlocks, read: readEmailDomainBlock, delete: deleteEmailDomainBlock } = records

export const createEmailDomainBlock = endpoint({
  method: 'POST',
  path,
  access: writing,
  summary: 'Blocks addresses of a domain, its subdomains and the domains whose mail its servers take, from signing up.',
  input: form({ domain: text() }),
  handle: async ({ call, input, viewerId }, { emailDomainBlocks }) =>
    emailDomainBlockEntity(await emailDomainBlocks.create(call, { domain: input.domain ?? '', staffId: viewerId })),
})
