import { attributes, type Html, html } from '@rookery/pages'
import type { Texts } from './texts/index.ts'

/** A form field. The label is for people; the value is the endpoint's parameter. */
export type Field = {
  name: string
  label: string
  hint?: string | undefined
  value?: string | undefined
  /** The error of the field. */
  error?: string | undefined
  /** The id of the element with the error message, if it is elsewhere. */
  errorId?: string | undefined
  isFocused?: boolean | undefined
  kind?: 'text' | 'search' | 'email' | 'number' | 'password' | 'datetime-local' | 'date' | 'color' | 'area' | 'check' | 'choice' | 'file'
  /** For choices: value and label. */
  options?: readonly (readonly [value: string, label: string])[]
  /** For files: the accepted types. */
  accept?: string
  autocomplete?: string
  rows?: number
}

/** The error and the hint, below the input they describe. */
const notesPart = (id: string, { error, hint }: Field): Html =>
  html`${error && html`<p class="error" id="${id}-error">${error}</p>`}${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}`

/** The attributes common to all inputs. */
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

/** A checkbox that sends false when it is not checked, so that a form can also turn a flag off. */
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

/** The fields of a moderation act: a text for the person, and whether to mail it. */
export const warningFields = ({ accounts }: Texts): readonly Field[] => [
  { name: 'text', label: accounts.text, hint: accounts.textHint, kind: 'area' },
  { name: 'send_email_notification', label: accounts.mail, kind: 'check', value: 'true' },
]
