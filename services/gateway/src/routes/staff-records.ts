import type { Cursors } from '@rookery/contracts/common'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { type Access, Staff } from '../http/access.ts'
import { endpoint, Reply, STATUS_LIST } from '../http/endpoint.ts'
import { form, pageOf, paging } from '../http/fields.ts'
import { recordId } from './replies.ts'

/** Summaries of the endpoints of a list, for the document. */
type Summaries = { readonly list: string; readonly read: string; readonly delete: string }

type Records<Item> = {
  /** The last segment of the path, and the name of the scopes. */
  readonly name: string
  /** The permission that the caller's role needs (contracts/permissions). */
  readonly permission: number
  readonly summaries: Summaries
  readonly entity: (item: Item) => unknown
  readonly list: (
    call: Call,
    request: { page: ReturnType<typeof pageOf> },
    clients: Clients,
  ) => Promise<{ items: readonly Item[]; cursors: Cursors | undefined }>
  readonly read: (call: Call, request: { id: string; staffId: string }, clients: Clients) => Promise<Item>
  /** Removes a record; resolves to the answer. */
  readonly remove: (call: Call, request: { id: string; staffId: string }, clients: Clients) => Promise<unknown>
}

/** The endpoints common to all lists of `/api/v1/admin` that staff maintain: a page, one record, its removal, and their access. */
export const staffRecords = <Item>({ name, permission, summaries, entity, list, read, remove }: Records<Item>) => {
  const path = `/api/v1/admin/${name}`
  const reading: Access = Staff(permission, `admin:read:${name}`)
  const writing: Access = Staff(permission, `admin:write:${name}`)
  return {
    path,
    reading,
    writing,
    list: endpoint({
      method: 'GET',
      path,
      access: reading,
      summary: summaries.list,
      input: form(paging(PAGE_SIZES.domains)),
      handle: async ({ call, input }, clients) => {
        const { items, cursors } = await list(call, { page: pageOf(input) }, clients)
        return new Reply(items.map(entity), { page: { cursors, style: STATUS_LIST } })
      },
    }),
    read: endpoint({
      method: 'GET',
      path: `${path}/:id`,
      access: reading,
      summary: summaries.read,
      handle: async ({ call, params, viewerId }, clients) => entity(await read(call, { id: recordId(params), staffId: viewerId }, clients)),
    }),
    delete: endpoint({
      method: 'DELETE',
      path: `${path}/:id`,
      access: writing,
      summary: summaries.delete,
      handle: ({ call, params, viewerId }, clients) => remove(call, { id: recordId(params), staffId: viewerId }, clients),
    }),
  }
}
