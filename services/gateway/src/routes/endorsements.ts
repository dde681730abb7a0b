import { relationshipEntity } from '@rookery/entities'
import { Public, User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { form, pageOf, paging } from '../http/fields.ts'
import { accountsReply, recordId } from './replies.ts'

const PEOPLE = { standard: 40, max: 80 }

export const readEndorsements = endpoint({
  method: 'GET',
  path: '/api/v1/endorsements',
  access: User('read:accounts'),
  summary: 'Accounts the viewer endorses; with limit=0 all, on one page.',
  input: form(paging(PEOPLE)),
  handle: async ({ call, input, viewerId }, clients) =>
    accountsReply(await clients.graph.readEndorsements(call, { accountId: viewerId, viewerId, page: pageOf(input) }), clients),
})

export const readAccountEndorsements = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/endorsements',
  access: Public('read:accounts'),
  summary: 'Accounts endorsed on a profile; with limit=0 all, on one page.',
  input: form(paging(PEOPLE)),
  handle: async ({ call, params, input, viewerId }, clients) =>
    accountsReply(await clients.graph.readEndorsements(call, { accountId: recordId(params), viewerId, page: pageOf(input) }), clients),
})

const act = (name: string, call: 'endorse' | 'unendorse', summary: string) =>
  endpoint({
    method: 'POST',
    path: `/api/v1/accounts/:id/${name}`,
    access: User('write:accounts'),
    summary,
    handle: async (context, { graph }) =>
      relationshipEntity(await graph[call](context.call, { viewerId: context.viewerId, accountId: recordId(context.params) })),
  })

export const endorseAccount = act('endorse', 'endorse', 'Endorses an account the viewer follows on the viewer’s profile.')
export const unendorseAccount = act('unendorse', 'unendorse', 'Removes an account from those endorsed on the viewer’s profile.')
export const pinAccount = act('pin', 'endorse', 'An older name of endorse.')
export const unpinAccount = act('unpin', 'unendorse', 'An older name of unendorse.')
