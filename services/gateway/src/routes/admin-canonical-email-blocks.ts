import { PERMISSIONS } from '@rookery/contracts/permissions'
import { canonicalEmailBlockEntity } from '@rookery/entities'
import { Failure } from '@rookery/failures'
import { endpoint } from '../http/endpoint.ts'
import { form, text } from '../http/fields.ts'
import { staffRecords } from './staff-records.ts'

const records = staffRecords({
  name: 'canonical_email_blocks',
  permission: PERMISSIONS.manageBlocks,
  summaries: {
    list: 'Mailboxes with which no one signs up, as hashes.',
    read: 'One of them.',
    delete: 'Ends a block.',
  },
  entity: canonicalEmailBlockEntity,
  list: async (call, request, { canonicalEmailBlocks }) => {
    const { blocks: items, cursors } = await canonicalEmailBlocks.list(call, request)
    return { items, cursors }
  },
  read: (call, request, { canonicalEmailBlocks }) => canonicalEmailBlocks.read(call, request),
  remove: (call, request, { canonicalEmailBlocks }) => canonicalEmailBlocks.delete(call, request),
})
const { path, reading, writing } = records

export const { list: listCanonicalEmailBlocks, read: readCanonicalEmailBlock, delete: deleteCanonicalEmailBlock } = records

export const createCanonicalEmailBlock = endpoint({
  method: 'POST',
  path,
  access: writing,
  summary: 'Blocks a mailbox, by an address that reaches it or by its hash.',
  input: form({ email: text(), canonical_email_hash: text() }),
  handle: async ({ call, input, viewerId }, { canonicalEmailBlocks }) =>
    canonicalEmailBlockEntity(
      await canonicalEmailBlocks.create(call, { email: input.email ?? '', hash: input.canonical_email_hash ?? '', staffId: viewerId }),
    ),
})

export const testCanonicalEmailBlocks = endpoint({
  method: 'POST',
  path: `${path}/test`,
  access: reading,
  summary: 'The blocks that keep an address from signing up.',
  input: form({ email: text() }),
  handle: async ({ call, input }, { canonicalEmailBlocks }) => {
    if (!input.email) throw new Failure('malformed', 'param is missing or the value is empty: email')
    return (await canonicalEmailBlocks.test(call, { email: input.email })).blocks.map(canonicalEmailBlockEntity)
  },
})
