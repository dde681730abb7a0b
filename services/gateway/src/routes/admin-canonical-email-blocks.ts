import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { canonicalEmailBlockEntity } from '@rookery/entities'
import { Failure } from '@rookery/failures'
import { Staff } from '../http/access.ts'
import { endpoint, Reply, STATUS_LIST } from '../http/endpoint.ts'
import { form, pageOf, paging, text } from '../http/fields.ts'
import { recordId } from './replies.ts'

const PATH = '/api/v1/admin/canonical_email_blocks'
const reading = Staff(PERMISSIONS.manageBlocks, 'admin:read:canonical_email_blocks')
const writing = Staff(PERMISSIONS.manageBlocks, 'admin:write:canonical_email_blocks')

export const listCanonicalEmailBlocks = endpoint({
  method: 'GET',
  path: PATH,
  access: reading,
  summary: 'Mailboxes with which no one signs up, as hashes.',
  input: form(paging(PAGE_SIZES.domains)),
  handle: async ({ call, input }, { canonicalEmailBlocks }) => {
    const { blocks, cursors } = await canonicalEmailBlocks.list(call, { page: pageOf(input) })
    return new Reply(blocks.map(canonicalEmailBlockEntity), { page: { cursors, style: STATUS_LIST } })
  },
})

export const readCanonicalEmailBlock = endpoint({
  method: 'GET',
  path: `${PATH}/:id`,
  access: reading,
  summary: 'One of them.',
  handle: async ({ call, params }, { canonicalEmailBlocks }) =>
    canonicalEmailBlockEntity(await canonicalEmailBlocks.read(call, { id: recordId(params) })),
})

export const deleteCanonicalEmailBlock = endpoint({
  method: 'DELETE',
  path: `${PATH}/:id`,
  access: writing,
  summary: 'Ends a block.',
  handle: async ({ call, params }, { canonicalEmailBlocks }) => {
    await canonicalEmailBlocks.delete(call, { id: recordId(params) })
    return {}
  },
})

export const createCanonicalEmailBlock = endpoint({
  method: 'POST',
  path: PATH,
  access: writing,
  summary: 'Blocks a mailbox, by an address that reaches it or by its hash.',
  input: form({ email: text(), canonical_email_hash: text() }),
  handle: async ({ call, input }, { canonicalEmailBlocks }) =>
    canonicalEmailBlockEntity(
      await canonicalEmailBlocks.create(call, { email: input.email ?? '', hash: input.canonical_email_hash ?? '' }),
    ),
})

export const testCanonicalEmailBlocks = endpoint({
  method: 'POST',
  path: `${PATH}/test`,
  access: reading,
  summary: 'The blocks that keep an address from signing up.',
  input: form({ email: text() }),
  handle: async ({ call, input }, { canonicalEmailBlocks }) => {
    if (!input.email) throw new Failure('malformed', 'param is missing or the value is empty: email')
    return (await canonicalEmailBlocks.test(call, { email: input.email })).blocks.map(canonicalEmailBlockEntity)
  },
})
