import type { KeywordOfFilter } from '@rookery/contracts/statuses'
import { phraseEntity } from '@rookery/entities'
import { orNotFound } from '@rookery/failures'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { clearableSeconds, flag, form, givenTexts, text } from '../http/fields.ts'
import { contextsOf, expiryOf } from './filters-v2.ts'
import { recordId } from './replies.ts'

const reply = ({ keyword, filter }: KeywordOfFilter) => phraseEntity(orNotFound(keyword), orNotFound(filter))

const phraseInput = form({
  phrase: text(),
  context: givenTexts(),
  irreversible: flag(),
  whole_word: flag(),
  expires_in: clearableSeconds('Expires in'),
})

export const listPhrases = endpoint({
  method: 'GET',
  path: '/api/v1/filters',
  access: User('read:filters'),
  summary: "The keywords of the viewer's filters, each as a filter of its own.",
  handle: async ({ call, viewerId }, { filters }) => {
    const list = await filters.list(call, { accountId: viewerId })
    return list.filters.flatMap(({ keywords, summary }) => keywords.map((keyword) => reply({ keyword, filter: summary })))
  },
})

export const readPhrase = endpoint({
  method: 'GET',
  path: '/api/v1/filters/:id',
  access: User('read:filters'),
  summary: 'One keyword, as a filter of its own.',
  handle: async ({ call, params, viewerId }, { filters }) =>
    reply(await filters.readKeyword(call, { id: recordId(params), accountId: viewerId })),
})

export const createPhrase = endpoint({
  method: 'POST',
  path: '/api/v1/filters',
  access: User('write:filters'),
  summary: 'Creates a filter of one keyword.',
  input: phraseInput,
  handle: async ({ call, input, viewerId }, { filters }) => {
    const made = await filters.createPhrase(call, {
      accountId: viewerId,
      phrase: input.phrase ?? '',
      contexts: input.context ?? [],
      isIrreversible: input.irreversible ?? false,
      wholeWord: input.whole_word ?? false,
      expiry: expiryOf(input.expires_in),
    })
    return reply(made)
  },
})

export const updatePhrase = endpoint({
  method: 'PUT',
  path: '/api/v1/filters/:id',
  access: User('write:filters'),
  summary: 'Changes a keyword, and its filter where that has no other keyword.',
  input: phraseInput,
  handle: async ({ call, params, input, viewerId }, { filters }) => {
    const changed = await filters.updatePhrase(call, {
      id: recordId(params),
      accountId: viewerId,
      phrase: input.phrase,
      contexts: contextsOf(input.context),
      isIrreversible: input.irreversible,
      wholeWord: input.whole_word,
      expiry: expiryOf(input.expires_in),
    })
    return reply(changed)
  },
})

export const deletePhrase = endpoint({
  method: 'DELETE',
  path: '/api/v1/filters/:id',
  access: User('write:filters'),
  summary: 'Removes a keyword from its filter, which stays.',
  handle: async ({ call, params, viewerId }, { filters }) => {
    await filters.removeKeyword(call, { id: recordId(params), accountId: viewerId })
    return {}
  },
})
