import type { Values } from '@rookery/http'
import { FORM_TOKEN, type Html, html } from '@rookery/pages'
import type { ListPage } from '../http/endpoint.ts'
import { type Field, fieldPart } from './fields.ts'
import { placeOf } from './form-faults.ts'
import type { Problem, Visit } from './visit.ts'

/** The names of hidden fields that every form of these pages has. */
export const FORM_NAME = 'form'
export const FORM_ONCE = 'form_once'
/** The name of the record that a form is about, for the confirmation page; and whether it was confirmed. */
export const FORM_ABOUT = 'form_about'
export const FORM_CONFIRMED = 'form_confirmed'

export type Button = { label: string; kind?: 'danger' | 'quiet'; name?: string; value?: string }

type FormParts = {
  /** The name of the form on the page. */
  form: string
  /** Hidden fields. */
  values?: Readonly<Record<string, string | readonly string[]>>
  /** The name of the record it is about. */
  about?: string | undefined
  fields?: readonly Field[]
  buttons: readonly Button[]
  hasFile?: boolean
  isInline?: boolean
  /** The id by which controls elsewhere on the page belong to the form. */
  id?: string
}

const hidden = (name: string, value: string | readonly string[]): Html =>
  typeof value === 'string'
    ? html`<input type="hidden" name="${name}" value="${value}">`
    : html`${value.map((each) => html`<input type="hidden" name="${name}[]" value="${each}">`)}`

const buttonPart = ({ label, kind, name, value }: Button, isInline: boolean): Html => {
  const look = [kind, isInline && 'compact'].filter(Boolean).join(' ')
  return html`<button type="submit"${look && html` class="${look}"`}${name && html` name="${name}" value="${value}"`}>${label}</button>`
}

/** Whether the visit's problem belongs to this form and record. */
const isAbout = ({ problem }: Visit, { form, values = {} }: FormParts): boolean =>
  problem?.form === form && Object.entries(values).every(([name, value]) => problem.values[name] === value)

const typed = (values: Values, field: Field): Field => {
  const value = values[field.name]
  return typeof value === 'string' && field.kind !== 'password' ? { ...field, value } : field
}

/** The fields with the submitted values and their faults; the first faulty one has the focus. */
const marked = ({ values, faults, placed }: Problem, fields: readonly Field[]): Field[] => {
  const errors = new Map<string, string[]>()
  const names = fields.map(({ name }) => name)
  for (const fault of faults) {
    for (const name of placeOf(fault, names, values)) {
      errors.set(name, [...(errors.get(name) ?? []), fault.words])
      placed.add(fault)
    }
  }
  const first = names.find((name) => errors.has(name))
  return fields.map((field) => ({ ...typed(values, field), error: errors.get(field.name)?.join(' '), isFocused: field.name === first }))
}

/** A form of the page, with the submitted values and their faults if it was refused. */
export const formPart = (visit: Visit, given: FormParts): Html => {
  const { form, values = {}, about, fields = [], buttons, hasFile, isInline = fields.length === 0, id } = given
  const number = visit.count()
  const shown = visit.problem && isAbout(visit, given) ? marked(visit.problem, fields) : fields
  const search = visit.query.size > 0 ? `?${visit.query}` : ''
  return html`<form method="post" action="${visit.path}${search}"${id && html` id="${id}"`}${hasFile && html` enctype="multipart/form-data"`}${isInline && html` class="inline"`} novalidate>
${hidden(FORM_TOKEN, visit.formToken)}${hidden(FORM_NAME, form)}${hidden(FORM_ONCE, `${visit.once}-${number}`)}
${about !== undefined && hidden(FORM_ABOUT, about)}${Object.entries(values).map(([name, value]) => hidden(name, value))}
${shown.map((field) => fieldPart(`${field.name}-${number}`, field))}
<div class="buttons">${buttons.map((button) => buttonPart(button, isInline))}</div>
</form>`
}

/** A form with a single button. */
export const actPart = (
  visit: Visit,
  given: { form: string; label: string; kind?: 'danger' | 'quiet'; values?: Record<string, string>; about?: string },
): Html => {
  const { form, label, kind = 'quiet', values = {}, about } = given
  return formPart(visit, { form, values, about, buttons: [{ label, kind }] })
}

/** The filter form of a list. */
export const filterPart = (visit: Visit, fields: readonly Field[], label: string): Html => {
  const chosen = fields.map((field) => ({ ...field, value: visit.query.get(field.name) ?? field.value }))
  return html`<form method="get" action="${visit.path}" class="filter" role="search">
${chosen.map((field) => fieldPart(`filter-${field.name}`, field))}
<div class="buttons"><button type="submit" class="quiet">${label}</button></div>
</form>`
}

/** The values of a filter, as parameters of an endpoint. */
export const filtered = ({ query }: Visit, names: readonly string[]): Values =>
  Object.fromEntries([...names, 'max_id', 'offset'].flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])))

/** The id of the form for chosen records. */
const CHOSEN = 'chosen'

/** The query parameter that checks all checkboxes of a page. */
export const CHOOSE = 'choose'

/** A checkbox that adds a record to the form for chosen records; checked if it was when the form was refused. */
export const choicePart = (visit: Visit, { name, value, label }: { name: string; value: string; label: string }): Html => {
  const chosen = visit.problem?.values[name]
  const isChosen = visit.query.get(CHOOSE) === 'all' || (Array.isArray(chosen) && chosen.includes(value))
  return html`<input type="checkbox" class="choose" form="${CHOSEN}" name="${name}[]" value="${value}" aria-label="${label}"${isChosen && html` checked`}>`
}

/** The form for all chosen records, and a link that chooses all on the page. */
export const manyPart = (visit: Visit, given: Pick<FormParts, 'form' | 'buttons' | 'fields' | 'values'>): Html => {
  const { choose } = visit.texts
  const isAll = visit.query.get(CHOOSE) === 'all'
  const parameters = new URLSearchParams(visit.query)
  parameters.delete('done')
  parameters.delete(CHOOSE)
  if (!isAll) parameters.set(CHOOSE, 'all')
  return html`<div class="many"><a href="${visit.path}?${String(parameters)}">${isAll ? choose.none : choose.all}</a>
${formPart(visit, { ...given, id: CHOSEN })}</div>`
}

const linkTo = ({ path, query }: Visit, name: string, value: string): string => {
  const parameters = new URLSearchParams(query)
  for (const cursor of ['max_id', 'offset', 'done', 'choose']) parameters.delete(cursor)
  if (value) parameters.set(name, value)
  return parameters.size > 0 ? `${path}?${parameters}` : path
}

/** The links to the previous and next pages of a list. */
export const pagerPart = (visit: Visit, page: ListPage | undefined, limit = 0): Html | undefined => {
  if (!page) return undefined
  const { pager } = visit.texts
  const isFirst = !visit.query.has('max_id') && !visit.query.get('offset')
  const next =
    'offset' in page
      ? page.isFull && linkTo(visit, 'offset', String(page.offset + limit))
      : page.cursors?.isFull && page.cursors.last && linkTo(visit, 'max_id', page.cursors.last)
  if (isFirst && !next) return undefined
  return html`<nav class="pager" aria-label="${pager.label}">${!isFirst && html`<a href="${linkTo(visit, '', '')}">${pager.latest}</a>`}${next && html`<a href="${next}" rel="next">${pager.older}</a>`}</nav>`
}

/** A record of a list: its title, facts, and acts. */
export type RecordParts = {
  title: Html | string
  /** A checkbox in front of it. */
  choice?: Html | false | undefined
  href?: string | undefined
  /** An image in front of it. */
  picture?: string | undefined
  /** Labels for its state. */
  marks?: readonly (string | false | undefined)[]
  facts?: readonly (Html | string | false | undefined)[]
  body?: Html | undefined | false
  acts?: readonly (Html | false | undefined)[]
}

const recordPart = ({ title, choice, href, picture, marks = [], facts = [], body, acts = [] }: RecordParts): Html => {
  const said = facts.filter((fact) => fact !== false && fact !== undefined && fact !== '')
  const done = acts.filter((act) => act !== false && act !== undefined)
  const shownMarks = marks.filter(Boolean).map((mark) => html` <em class="mark">${mark}</em>`)
  return html`<li>${choice}${picture && html`<img class="picture" src="${picture}" alt="" loading="lazy">`}
<div class="what"><strong>${href ? html`<a href="${href}">${title}</a>` : title}${shownMarks}</strong>
${said.map((fact) => html`<span>${fact}</span>`)}${body}</div>
${done.length > 0 && html`<div class="acts">${done}</div>`}</li>`
}

/** A list of records, or a sentence if it is empty. */
export const recordsPart = (records: readonly RecordParts[], none: string): Html =>
  records.length > 0 ? html`<ul class="records">${records.map(recordPart)}</ul>` : html`<p class="small">${none}</p>`

/** A list of names and values. */
export const factsPart = (facts: readonly (readonly [string, Html | string | number | undefined])[]): Html =>
  html`<dl class="facts">${facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [html`<div><dt>${name}</dt><dd>${value}</dd></div>`]))}</dl>`

/** A collapsed section, open if something in it is faulty. */
export const folded = (summary: Html | string, body: Html, isOpen = false): Html =>
  html`<details${(isOpen || body.html.includes(' aria-invalid="true"')) && html` open`}><summary>${summary}</summary>${body}</details>`

/** A time, in UTC. */
export const timePart = ({ language }: Visit, at: string | number): Html => {
  const moment = new Date(at)
  const words = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(moment)
  return html`<time datetime="${moment.toISOString()}">${words} UTC</time>`
}

/** Formats a number in the page's language. */
export const numberOf = ({ language }: Visit, count: number): string => new Intl.NumberFormat(language).format(count)
