import type { Values } from '@rookery/http'
import { html, settingsName } from '@rookery/pages'
import { api } from '../../admin/api.ts'
import type { Field } from '../../admin/fields.ts'
import type { SignedInPage } from '../../admin/page.ts'
import { actPart, folded, formPart, type RecordParts, recordsPart, timePart } from '../../admin/parts.ts'
import { read, type Visit } from '../../admin/visit.ts'
import { SETTINGS_TEXTS } from '../texts/index.ts'

const listFilters = api('GET /api/v2/filters')

type Filter = {
  id: string
  title: string
  context: string[]
  filter_action: string
  expires_at: string | null
  keywords: { id: string; keyword: string; whole_word: boolean }[]
  statuses: unknown[]
}

const CONTEXTS = ['home', 'notifications', 'public', 'thread', 'account'] as const
const ACTIONS = ['warn', 'hide', 'blur'] as const
const DAY = 86_400
const EXPIRIES = [0, DAY, 7 * DAY, 30 * DAY]

const fieldsOf = (visit: Visit, filter?: Filter): Field[] => {
  const { filters: texts } = SETTINGS_TEXTS[visit.language]
  const expiries: [string, string][] = EXPIRIES.map((seconds) => [seconds ? String(seconds) : '', texts.expiries(seconds / DAY)])
  return [
    { name: 'title', label: texts.title, value: filter?.title ?? '' },
    { name: 'keywords', label: filter ? texts.moreKeywords : texts.keywords, hint: texts.keywordsHint, kind: 'area', rows: 3 },
    ...CONTEXTS.map(
      (context): Field => ({
        name: `in_${context}`,
        label: texts.contexts[context],
        kind: 'check',
        value: String(filter ? filter.context.includes(context) : true),
      }),
    ),
    {
      name: 'filter_action',
      label: texts.action,
      kind: 'choice',
      value: filter?.filter_action ?? 'warn',
      options: ACTIONS.map((action) => [action, texts.actions[action]]),
    },
    {
      name: 'expires_in',
      label: texts.expiry,
      kind: 'choice',
      options: filter ? [['keep', texts.keepExpiry], ...expiries] : expiries,
      value: filter ? 'keep' : '',
    },
  ]
}

/** The form's values as parameters of the API: one keyword per line. */
const valuesOf = ({ id, title, keywords, filter_action, expires_in, ...values }: Values): Values => ({
  ...(id === undefined ? {} : { id }),
  title,
  filter_action,
  ...(expires_in === 'keep' ? {} : { expires_in }),
  context: CONTEXTS.filter((context) => values[`in_${context}`] === 'true'),
  keywords_attributes: String(keywords ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((keyword) => ({ keyword, whole_word: 'true' })),
})

const recordOf = (visit: Visit, filter: Filter): RecordParts => {
  const { filters: texts } = SETTINGS_TEXTS[visit.language]
  const { id, title, context, filter_action, expires_at, keywords, statuses } = filter
  const named = CONTEXTS.filter((each) => context.includes(each)).map((each) => texts.contexts[each])
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now()
  const change = formPart(visit, {
    form: 'change',
    values: { id },
    fields: fieldsOf(visit, filter),
    buttons: [{ label: visit.texts.save, kind: 'quiet' }],
  })
  const removals = keywords.map(({ id: keywordId, keyword }) =>
    actPart(visit, { form: 'remove_keyword', label: `${visit.texts.remove}: ${keyword}`, values: { id: keywordId } }),
  )
  return {
    title,
    marks: [texts.actions[filter_action as (typeof ACTIONS)[number]], isOver && texts.over],
    facts: [
      named.join(', '),
      keywords.map(({ keyword }) => keyword).join(', '),
      statuses.length > 0 && texts.statuses(statuses.length),
      expires_at !== null && !isOver && html`${texts.expiry}: ${timePart(visit, expires_at)}`,
    ],
    body: folded(visit.texts.change, html`${change}${removals}`),
    acts: [actPart(visit, { form: 'remove', label: visit.texts.remove, values: { id }, about: title })],
  }
}

/** GET /settings/filters: the person's filters. */
export const filtersPage: SignedInPage = {
  path: '/settings/filters',
  section: 'filters',
  access: listFilters.access,
  async read(visit) {
    const { filters: texts } = SETTINGS_TEXTS[visit.language]
    const filters = await read<Filter[]>(visit, listFilters)
    return {
      title: settingsName(visit.language, 'filters'),
      lead: texts.lead,
      body: html`${recordsPart(
        filters.map((filter) => recordOf(visit, filter)),
        texts.none,
      )}
<h2>${texts.add}</h2>
${formPart(visit, { form: 'add', fields: fieldsOf(visit), buttons: [{ label: visit.texts.add }] })}`,
    }
  },
  forms: {
    add: { endpoint: api('POST /api/v2/filters'), done: 'added', values: valuesOf },
    change: { endpoint: api('PUT /api/v2/filters/:id'), done: 'changed', values: valuesOf },
    remove: { endpoint: api('DELETE /api/v2/filters/:id'), done: 'removed', final: () => 'removeFilter' },
    remove_keyword: { endpoint: api('DELETE /api/v2/filters/keywords/:id'), done: 'removed' },
  },
}
