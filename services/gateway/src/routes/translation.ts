import { translationEntity } from '@rookery/entities'
import { AppOrUser, Public } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { form, text } from '../http/fields.ts'
import { recordId } from './replies.ts'

export const translateStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/translate',
  access: AppOrUser('read:statuses'),
  summary: 'Translates a status.',
  input: form({ lang: text() }),
  handle: async ({ call, params, input, viewerId }, { translations }) =>
    translationEntity(await translations.translate(call, { statusId: recordId(params), viewerId, language: input.lang ?? '' })),
})

export const readTranslationLanguages = endpoint({
  method: 'GET',
  path: '/api/v1/instance/translation_languages',
  access: Public(),
  summary: 'Supported translations by source language.',
  handle: async ({ call }, { translations }) => {
    const { sources } = await translations.readLanguages(call, {})
    return Object.fromEntries(sources.map(({ language, targets }) => [language, targets]))
  },
})
