import { attributes, type Html, html } from '@rookery/pages'

/** One line of a form. Labels are for people; values are what the endpoint takes. */
export type Field = {
  name: string
  label: string
  hint?: string | undefined
  value?: string | undefined
  kind?: 'text' | 'search' | 'email' | 'number' | 'password' | 'datetime-local' | 'date' | 'color' | 'area' | 'check' | 'choice' | 'file'
  /** Of a choice: what is sent and what is read. */
  options?: readonly (readonly [value: string, label: string])[]
  /** Of a file. */
  accept?: string
  autocomplete?: string
  rows?: number
}

const hintPart = (id: string, hint: string | undefined) => hint && html`<p class="hint" id="${id}-hint">${hint}</p>`

/** Sends false where it is not ticked, so that a change can take something back. */
const checkPart = (id: string, { name, label, value, hint }: Field): Html => html`<div class="field check">
<input type="hidden" name="${name}" value="false"><input${attributes({ id, name, type: 'checkbox', value: 'true', checked: value === 'true', 'aria-describedby': hint && `${id}-hint` })}>
<label for="${id}">${label}</label>${hintPart(id, hint)}
</div>`

const controlOf = (id: string, field: Field): Html => {
  const { name, kind = 'text', value, hint, options = [], accept, autocomplete = 'off', rows = 4 } = field
  const shared = { id, name, 'aria-describedby': hint && `${id}-hint` }
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
    : html`<div class="field"><label for="${id}">${field.label}</label>${controlOf(id, field)}${hintPart(id, field.hint)}</div>`
