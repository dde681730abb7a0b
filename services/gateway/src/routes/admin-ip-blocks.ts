import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { ipBlockEntity } from '@rookery/entities'
import type { z } from 'zod'
import { Staff } from '../http/access.ts'
import { type Context, endpoint, Reply, STATUS_LIST } from '../http/endpoint.ts'
import { clearableSeconds, form, pageOf, paging, text } from '../http/fields.ts'
import { recordId } from './replies.ts'

const PATH = '/api/v1/admin/ip_blocks'
const reading = Staff(PERMISSIONS.manageBlocks, 'admin:read:ip_blocks')
const writing = Staff(PERMISSIONS.manageBlocks, 'admin:write:ip_blocks')

const settings = form({ ip: text(), severity: text(), comment: text(), expires_in: clearableSeconds('Expires in') })

const settingsOf = ({ input, address }: Context<z.output<typeof settings>>) => ({
  network: input.ip,
  severity: input.severity,
  comment: input.comment,
  expiresInSeconds: input.expires_in === null ? 0 : input.expires_in,
  callerAddress: address,
})

export const listIpBlocks = endpoint({
  method: 'GET',
  path: PATH,
  access: reading,
  summary: 'Networks that may not do everything here.',
  input: form(paging(PAGE_SIZES.domains)),
  handle: async ({ call, input }, { ipBlocks }) => {
    const { blocks, cursors } = await ipBlocks.list(call, { page: pageOf(input) })
    return new Reply(blocks.map(ipBlockEntity), { page: { cursors, style: STATUS_LIST } })
  },
})

export const readIpBlock = endpoint({
  method: 'GET',
  path: `${PATH}/:id`,
  access: reading,
  summary: 'One of them.',
  handle: async ({ call, params }, { ipBlocks }) => ipBlockEntity(await ipBlocks.read(call, { id: recordId(params) })),
})

export const deleteIpBlock = endpoint({
  method: 'DELETE',
  path: `${PATH}/:id`,
  access: writing,
  summary: 'Ends a block.',
  handle: async ({ call, params }, { ipBlocks }) => {
    await ipBlocks.delete(call, { id: recordId(params) })
    return {}
  },
})

export const createIpBlock = endpoint({
  method: 'POST',
  path: PATH,
  access: writing,
  summary: 'Has sign-ups from a network wait for approval, refuses them, or refuses every request.',
  input: settings,
  handle: async (context, { ipBlocks }) => ipBlockEntity(await ipBlocks.create(context.call, settingsOf(context))),
})

export const changeIpBlock = endpoint({
  method: 'PUT',
  path: `${PATH}/:id`,
  access: writing,
  summary: 'Changes a block.',
  input: settings,
  handle: async (context, { ipBlocks }) =>
    ipBlockEntity(await ipBlocks.change(context.call, { id: recordId(context.params), settings: settingsOf(context) })),
})
