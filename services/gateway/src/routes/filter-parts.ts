import { filterKeywordEntity, filterStatusEntity } from '@rookery/entities'
import { notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { flag, form, text } from '../http/fields.ts'
import { recordId } from './replies.ts'

const keywordInput = form({ keyword: text(), whole_word: flag() })

export const listFilterKeywords = endpoint({
  method: 'GET',
  path: '/api/v2/filters/:filter_id/keywords',
  access: User('read:filters'),
  summary: 'The keywords of a filter.',
  handle: async ({ call, params, viewerId }, { filters }) =>
    (await filters.read(call, { id: recordId(params, 'filter_id'), accountId: viewerId })).keywords.map(filterKeywordEntity),
})

export const addFilterKeyword = endpoint({
  method: 'POST',
  path: '/api/v2/filters/:filter_id/keywords',
  access: User('write:filters'),
  summary: 'Adds a keyword to a filter, as a whole word unless it says otherwise.',
  input: keywordInput,
  handle: async ({ call, params, input, viewerId }, { filters }) => {
    const request = {
      filterId: recordId(params, 'filter_id'),
      accountId: viewerId,
      keyword: input.keyword ?? '',
      wholeWord: input.whole_word,
    }
    return filterKeywordEntity(await filters.addKeyword(call, request))
  },
})

export const readFilterKeyword = endpoint({
  method: 'GET',
  path: '/api/v2/filters/keywords/:id',
  access: User('read:filters'),
  summary: 'One keyword of a filter.',
  handle: async ({ call, params, viewerId }, { filters }) =>
    filterKeywordEntity(orNotFound((await filters.readKeyword(call, { id: recordId(params), accountId: viewerId })).keyword)),
})

export const updateFilterKeyword = endpoint({
  method: 'PUT',
  path: '/api/v2/filters/keywords/:id',
  access: User('write:filters'),
  summary: 'Changes a keyword of a filter.',
  input: keywordInput,
  handle: async ({ call, params, input, viewerId }, { filters }) => {
    const request = { id: recordId(params), accountId: viewerId, keyword: input.keyword ?? '', wholeWord: input.whole_word }
    return filterKeywordEntity(await filters.updateKeyword(call, request))
  },
})

export const removeFilterKeyword = endpoint({
  method: 'DELETE',
  path: '/api/v2/filters/keywords/:id',
  access: User('write:filters'),
  summary: 'Removes a keyword from its filter, which stays.',
  handle: async ({ call, params, viewerId }, { filters }) => {
    await filters.removeKeyword(call, { id: recordId(params), accountId: viewerId })
    return {}
  },
})

export const listFilterStatuses = endpoint({
  method: 'GET',
  path: '/api/v2/filters/:filter_id/statuses',
  access: User('read:filters'),
  summary: 'The statuses of a filter.',
  handle: async ({ call, params, viewerId }, { filters }) =>
    (await filters.read(call, { id: recordId(params, 'filter_id'), accountId: viewerId })).statuses.map(filterStatusEntity),
})

export const addFilterStatus = endpoint({
  method: 'POST',
  path: '/api/v2/filters/:filter_id/statuses',
  access: User('write:filters'),
  summary: 'Adds a status to a filter.',
  input: form({ status_id: text() }),
  handle: async ({ call, params, input, viewerId }, { filters }) => {
    const statusId = input.status_id ?? ''
    if (!isId(statusId)) throw notFound('status_id is no id')
    const request = { filterId: recordId(params, 'filter_id'), accountId: viewerId, statusId }
    return filterStatusEntity(await filters.addStatus(call, request))
  },
})

export const readFilterStatus = endpoint({
  method: 'GET',
  path: '/api/v2/filters/statuses/:id',
  access: User('read:filters'),
  summary: 'One status of a filter.',
  handle: async ({ call, params, viewerId }, { filters }) =>
    filterStatusEntity(await filters.readStatus(call, { id: recordId(params), accountId: viewerId })),
})

export const removeFilterStatus = endpoint({
  method: 'DELETE',
  path: '/api/v2/filters/statuses/:id',
  access: User('write:filters'),
  summary: 'Removes a status from its filter.',
  handle: async ({ call, params, viewerId }, { filters }) => {
    await filters.removeStatus(call, { id: recordId(params), accountId: viewerId })
    return {}
  },
})
