import type { Filter } from '@rookery/contracts/statuses'
import { filterEntity } from '@rookery/entities'
import { notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { clearableSeconds, flag, form, givenTexts, hashList, text } from '../http/fields.ts'
import { recordId } from './replies.ts'

const reply = (filter: Filter) => filterEntity(filter, orNotFound(filter.summary))

/** expires_in in the form of calls: seconds, never, or unchanged. */
export const expiryOf = (seconds: number | null | undefined) => (seconds === undefined ? undefined : { seconds: seconds ?? undefined })

/** context[] in the form of calls; undefined leaves it unchanged. */
export const contextsOf = (names: string[] | undefined) => names && { names }

const keywordInput = form({ id: text(), keyword: text(), whole_word: flag(), _destroy: flag() })

/** keywords_attributes in any spelling. @throws Failure not_found for an invalid keyword id */
const keywordChanges = (hashes: Record<string, unknown>[] | undefined) =>
  (hashes ?? []).map((hash) => {
    const { id = '', keyword, whole_word, _destroy = false } = keywordInput.parse(hash)
    if (id && !isId(id)) throw notFound('a keyword is named by what is no id')
    return { id, keyword, wholeWord: whole_word, isRemoved: _destroy }
  })

const filterInput = form({
  title: text(),
  context: givenTexts(),
  filter_action: text(),
  expires_in: clearableSeconds('Expires in'),
  keywords_attributes: hashList(),
})

export const listFilters = endpoint({
  method: 'GET',
  path: '/api/v2/filters',
  access: User('read:filters'),
  summary: "The viewer's filters with keywords and statuses, including expired ones.",
  handle: async ({ call, viewerId }, { filters }) => (await filters.list(call, { accountId: viewerId })).filters.map(reply),
})

export const readFilter = endpoint({
  method: 'GET',
  path: '/api/v2/filters/:id',
  access: User('read:filters'),
  summary: 'One filter.',
  handle: async ({ call, params, viewerId }, { filters }) => reply(await filters.read(call, { id: recordId(params), accountId: viewerId })),
})

export const createFilter = endpoint({
  method: 'POST',
  path: '/api/v2/filters',
  access: User('write:filters'),
  summary: 'Creates a filter. Its keywords are whole words unless they say otherwise.',
  input: filterInput,
  handle: async ({ call, input, viewerId }, { filters }) => {
    const filter = await filters.create(call, {
      accountId: viewerId,
      title: input.title ?? '',
      contexts: input.context ?? [],
      action: input.filter_action ?? '',
      expiry: expiryOf(input.expires_in),
      keywords: keywordChanges(input.keywords_attributes),
    })
    return reply(filter)
  },
})

export const updateFilter = endpoint({
  method: 'PUT',
  path: '/api/v2/filters/:id',
  access: User('write:filters'),
  summary: 'Changes a filter, and adds, changes and removes keywords with it: all of it or nothing.',
  input: filterInput,
  handle: async ({ call, params, input, viewerId }, { filters }) => {
    const filter = await filters.update(call, {
      id: recordId(params),
      accountId: viewerId,
      title: input.title,
      contexts: contextsOf(input.context),
      action: input.filter_action ?? '',
      expiry: expiryOf(input.expires_in),
      keywords: keywordChanges(input.keywords_attributes),
    })
    return reply(filter)
  },
})

export const deleteFilter = endpoint({
  method: 'DELETE',
  path: '/api/v2/filters/:id',
  access: User('write:filters'),
  summary: 'Deletes a filter with its keywords and statuses.',
  handle: async ({ call, params, viewerId }, { filters }) => {
    await filters.delete(call, { id: recordId(params), accountId: viewerId })
    return {}
  },
})
