import { PERMISSIONS } from '@rookery/contracts/permissions'
import { ipBlockEntity } from '@rookery/entities'
import type { z } from 'zod'
import { type Context, endpoint } from '../http/endpoint.ts'
import { clearableSeconds, form, text } from '../http/fields.ts'
import { recordId } from './replies.ts'
import { staffRecords } from './staff-records.ts'

const records = staffRecords({
  name: 'ip_blocks',
  permission: PERMISSIONS.manageBlocks,
  summaries: {
    list: 'Networks that may not do everything here.',
    read: 'One of them.',
    delete: 'Ends a block.',
  },
  entity: ipBlockEntity,
  list: async (call, request, { ipBlocks }) => {
    const { blocks: items, cursors } = await ipBlocks.list(call, request)
    return { items, cursors }
  },
  read: (call, request, { ipBlocks }) => ipBlocks.read(call, request),
  remove: (call, request, { ipBlocks }) => ipBlocks.delete(call, request),
})
const { path, writing } = records

export const { list: listIpBlocks, read: readIpBlock, delete: deleteIpBlock } = records

const settings = form({ ip: text(), severity: text(), comment: text(), expires_in: clearableSeconds('Expires in') })

const settingsOf = ({ input, address, viewerId }: Context<z.output<typeof settings>>) => ({
  network: input.ip,
  severity: input.severity,
  comment: input.comment,
  expiresInSeconds: input.expires_in === null ? 0 : input.expires_in,
  callerAddress: address,
  staffId: viewerId,
})

export const createIpBlock = endpoint({
  method: 'POST',
  path,
  access: writing,
  summary: 'Has sign-ups from a network wait for approval, refuses them, or refuses every request.',
  input: settings,
  handle: async (context, { ipBlocks }) => ipBlockEntity(await ipBlocks.create(context.call, settingsOf(context))),
})

export const changeIpBlock = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  access: writing,
  summary: 'Changes a block.',
  input: settings,
  handle: async (context, { ipBlocks }) =>
    ipBlockEntity(await ipBlocks.change(context.call, { id: recordId(context.params), settings: settingsOf(context) })),
})
