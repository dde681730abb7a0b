import { PAGE_SIZES } from '@rookery/contracts/limits'
import { User } from '../http/access.ts'
import { ACCOUNT_LIST, endpoint, Reply } from '../http/endpoint.ts'
import { form, pageOf, paging, text } from '../http/fields.ts'

const PATH = '/api/v1/domain_blocks'
const named = form({ domain: text() })

export const readDomainBlocks = endpoint({
  method: 'GET',
  path: PATH,
  access: User('read:blocks'),
  summary: 'Domains the viewer blocks.',
  input: form(paging(PAGE_SIZES.domains)),
  handle: async ({ call, input, viewerId }, { domainBlocks }) => {
    const { domains, cursors } = await domainBlocks.list(call, { viewerId, page: pageOf(input) })
    return new Reply(domains, { page: { cursors, style: ACCOUNT_LIST } })
  },
})

export const blockDomain = endpoint({
  method: 'POST',
  path: PATH,
  access: User('write:blocks'),
  summary: 'Blocks a domain for the viewer.',
  input: named,
  handle: async ({ call, input, viewerId }, { domainBlocks }) => {
    await domainBlocks.block(call, { viewerId, domain: input.domain })
    return {}
  },
})

export const unblockDomain = endpoint({
  method: 'DELETE',
  path: PATH,
  access: User('write:blocks'),
  summary: 'Unblocks a domain; no error when it was not blocked.',
  input: named,
  handle: async ({ call, input, viewerId }, { domainBlocks }) => {
    await domainBlocks.unblock(call, { viewerId, domain: input.domain })
    return {}
  },
})

export const previewDomainBlock = endpoint({
  method: 'GET',
  path: `${PATH}/preview`,
  access: User('write:blocks'),
  summary: 'How many follows a domain block would end, in both directions.',
  input: named,
  handle: async ({ call, input, viewerId }, { domainBlocks }) => {
    const preview = await domainBlocks.preview(call, { viewerId, domain: input.domain })
    return { following_count: preview.followingCount, followers_count: preview.followersCount }
  },
})
