import { PAGE_SIZES } from '@rookery/contracts/limits'
import { listEntity } from '@rookery/entities'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { flag, form, pageOf, paging, text, textList } from '../http/fields.ts'
import { accountsReply, recordId } from './replies.ts'

export const readLists = endpoint({
  method: 'GET',
  path: '/api/v1/lists',
  access: User('read:lists'),
  summary: 'The viewer’s lists.',
  handle: async ({ call, viewerId }, { lists }) => (await lists.readAll(call, { viewerId })).lists.map(listEntity),
})

export const readAccountLists = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/lists',
  access: User('read:lists'),
  summary: 'The viewer’s lists that contain an account.',
  handle: async ({ call, params, viewerId }, { lists }) =>
    (await lists.readAll(call, { viewerId, memberId: recordId(params) })).lists.map(listEntity),
})

export const readList = endpoint({
  method: 'GET',
  path: '/api/v1/lists/:id',
  access: User('read:lists'),
  summary: 'One of the viewer’s lists.',
  handle: async ({ call, params, viewerId }, { lists }) => listEntity(await lists.read(call, { id: recordId(params), viewerId })),
})

const settings = form({ title: text(), replies_policy: text(), exclusive: flag() })

export const createList = endpoint({
  method: 'POST',
  path: '/api/v1/lists',
  access: User('write:lists'),
  summary: 'Creates a list.',
  input: settings,
  handle: async ({ call, input, viewerId }, { lists }) =>
    listEntity(
      await lists.create(call, { viewerId, title: input.title, repliesPolicy: input.replies_policy, isExclusive: input.exclusive }),
    ),
})

export const changeList = endpoint({
  method: 'PUT',
  path: '/api/v1/lists/:id',
  access: User('write:lists'),
  summary: 'Changes a list: its title, which replies it shows, whether its members are kept out of the home feed.',
  input: settings,
  handle: async ({ call, params, input, viewerId }, { lists }) =>
    listEntity(
      await lists.change(call, {
        id: recordId(params),
        viewerId,
        title: input.title,
        repliesPolicy: input.replies_policy,
        isExclusive: input.exclusive,
      }),
    ),
})

export const deleteList = endpoint({
  method: 'DELETE',
  path: '/api/v1/lists/:id',
  access: User('write:lists'),
  summary: 'Deletes a list.',
  handle: async ({ call, params, viewerId }, { lists }) => {
    await lists.delete(call, { id: recordId(params), viewerId })
    return {}
  },
})

export const readListAccounts = endpoint({
  method: 'GET',
  path: '/api/v1/lists/:id/accounts',
  access: User('read:lists'),
  summary: 'Members of a list, the latest first; with limit=0 all, on one page.',
  input: form(paging(PAGE_SIZES.people)),
  handle: async ({ call, params, input, viewerId }, clients) =>
    accountsReply(await clients.lists.readMembers(call, { id: recordId(params), viewerId, page: pageOf(input) }), clients),
})

export const addListAccounts = endpoint({
  method: 'POST',
  path: '/api/v1/lists/:id/accounts',
  access: User('write:lists'),
  summary: 'Adds accounts the viewer follows to a list: all of them, or none.',
  input: form({ account_ids: textList() }),
  handle: async ({ call, params, input, viewerId }, { lists }) => {
    await lists.addMembers(call, { id: recordId(params), viewerId, accountIds: input.account_ids })
    return {}
  },
})

export const removeListAccounts = endpoint({
  method: 'DELETE',
  path: '/api/v1/lists/:id/accounts',
  access: User('write:lists'),
  summary: 'Removes accounts from a list; no error for those not on it.',
  input: form({ account_ids: textList() }),
  handle: async ({ call, params, input, viewerId }, { lists }) => {
    await lists.removeMembers(call, { id: recordId(params), viewerId, accountIds: input.account_ids })
    return {}
  },
})
