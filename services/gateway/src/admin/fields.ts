import { attributes, type Html, html } from '@rookery/pages'
import type { Texts } from './texts/index.ts'

/** One line of a form. Labels are for people; values are what the endpoint takes. */
export type Field = {
  name: string
  label: string
  hint?: string | undefined
  value?: string | undefined
  /** What is wrong with it. */
  error?: string | undefined
  /** The id of what says so, where that stands elsewhere. */
  errorId?: string | undefined
  isFocused?: boolean | undefined
  kind?: 'text' | 'search' | 'email' | 'number' | 'password' | 'datetime-local' | 'date' | 'color' | 'area' | 'check' | 'choice' | 'file'
  /** Of a choice: what is sent and what is read. */
  options?: readonly (readonly [value: string, label: string])[]
  /** Of a file. */
  accept?: string
  autocomplete?: string
  rows?: number
}

/** What is wrong, and the hint, below the input that they describe. */
const notesPart = (id: string, { error, hint }: Field): Html =>
  html`${error && html`<p class="error" id="${id}-error">${error}</p>`}${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}`

/** What every input says of itself. */
const sharedOf = (id: string, { name, error, errorId = `${id}-error`, hint, isFocused }: Field) => {
  const isWrong = error !== undefined || errorId !== `${id}-error`
  return {
    id,
    name,
    'aria-invalid': isWrong ? 'true' : undefined,
    'aria-describedby': [isWrong && errorId, hint && `${id}-hint`].filter(Boolean).join(' '),
    autofocus: isFocused,
  }
}

/** Sends false where it is not ticked, so that a change can take something back. */
const checkPart = (id: string, field: Field): Html => html`<div class="field check">
<input type="hidden" name="${field.name}" value="false"><input${attributes({ ...sharedOf(id, field), type: 'checkbox', value: 'true', checked: field.value === 'true' })}>
<label for="${id}">${field.label}</label>${notesPart(id, field)}
</div>`

const controlOf = (id: string, field: Field): Html => {
  const { kind = 'text', value, options = [], accept, autocomplete = 'off', rows = 4 } = field
  const shared = sharedOf(id, field)
  if (kind === 'area') return html`<textarea${attributes({ ...shared, rows })}>\n${value}</textarea>`
  if (kind === 'choice') {
    const choices = options.map(
      ([each, label]) => html`<option${attributes({ selected: each === (value ?? '') })} value="${each}">${label}</option>`,
    )
    return html`<select${attributes(shared)}>${choices}</select>`
  }
  return html`<input${attributes({ ...shared, type: kind, value: kind === 'password' ? undefined : value, accept, autocomplete, autocapitalize: 'none', spellcheck: 'false' })}>`
}

/** A field with its label. */
export const fieldPart = (id: string, field: Field): Html =>
  field.kind === 'check'
    ? checkPart(id, field)
    : html`<div class="field"><label for="${id}">${field.label}</label>${controlOf(id, field)}${notesPart(id, field)}</div>`

/** The fields of an act on a person: a text for them, and whether it is mailed. */
export const warningFields = ({ accounts }: Texts): readonly Field[] => [
  { name: 'text', label: accounts.text, hint: accounts.textHint, kind: 'area' },
  { name: 'send_email_notification', label: accounts.mail, kind: 'check', value: 'true' },
]
