import { attributes, FORM_TOKEN, type Html, html } from '@rookery/pages'

/** A text field of a form. */
export type Field = {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  value?: string | undefined
  autocomplete: string
  hint?: string
  error?: string | undefined
  /** A text behind the input, e.g. the host after a username. */
  suffix?: string
  maxLength?: number
  isFocused?: boolean
}

type Notes = Pick<Field, 'name' | 'hint' | 'error'>

/** An error replaces the hint, which says the same in other words. */
const describedBy = ({ name, hint, error }: Notes) => (error ? `${name}-error` : hint ? `${name}-hint` : '')

const notes = ({ name, hint, error }: Notes): Html | undefined => {
  if (error) return html`<p class="error" id="${name}-error">${error}</p>`
  return hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : undefined
}

/** Attributes of all inputs. */
const shared = (given: Notes) => ({
  id: given.name,
  name: given.name,
  'aria-describedby': describedBy(given),
  'aria-invalid': given.error ? 'true' : undefined,
  required: true,
})

/** A labelled text input. Browsers should neither capitalise nor spell-check, since none of the inputs is prose. */
export const field = (given: Field): Html => {
  const { type = 'text', suffix } = given
  const more = {
    type,
    value: type === 'password' ? undefined : given.value,
    autocomplete: given.autocomplete,
    autocapitalize: 'none',
    spellcheck: 'false',
    maxlength: given.maxLength,
    autofocus: given.isFocused,
  }
  const input = html`<input${attributes({ ...shared(given), ...more })}>`
  return html`<div class="field">
<label for="${given.name}">${given.label}</label>
${suffix ? html`<div class="suffixed">${input}<span aria-hidden="true">${suffix}</span></div>` : input}
${notes(given)}
</div>`
}

/** A labelled text area. */
export const textArea = (given: Pick<Field, 'name' | 'label' | 'value' | 'hint' | 'error' | 'maxLength'>): Html => html`
<div class="field">
<label for="${given.name}">${given.label}</label>
<textarea${attributes({ ...shared(given), rows: 4, maxlength: given.maxLength })}>${given.value}</textarea>
${notes(given)}
</div>`

/** A checkbox. */
export const checkBox = (given: {
  name: string
  label: string
  isTicked: boolean
  isOptional?: boolean
  error?: string | undefined
}): Html => html`
<div class="field check">
<input${attributes({ ...shared(given), type: 'checkbox', value: 'true', checked: given.isTicked, required: !given.isOptional })}>
<label for="${given.name}">${given.label}</label>
${notes(given)}
</div>`

/** A select. */
export const choice = (given: {
  name: string
  label: string
  options: readonly (readonly [value: string, label: string])[]
  chosen?: string | undefined
}): Html => html`
<div class="field">
<label for="${given.name}">${given.label}</label>
<select${attributes({ id: given.name, name: given.name })}>${given.options.map(
  ([value, label]) => html`<option value="${value}"${attributes({ selected: value === given.chosen })}>${label}</option>`,
)}</select>
</div>`

/** A file input. */
export const fileField = (given: { name: string; label: string; accept: string; error?: string | undefined }): Html => html`
<div class="field">
<label for="${given.name}">${given.label}</label>
<input${attributes({ ...shared(given), type: 'file', accept: given.accept })}>
${notes(given)}
</div>`

/** A hidden input. */
export const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

export { FORM_TOKEN }

/** A form that posts to this server. With `novalidate`, validation and its messages are left to the server. */
export const form = (given: { action: string; formToken: string; body: Html; hasFile?: boolean }): Html => html`
<form method="post" action="${given.action}"${given.hasFile && html` enctype="multipart/form-data"`} novalidate>
${hidden(FORM_TOKEN, given.formToken)}
${given.body}
</form>`

/** An error message, which screen readers announce at once. */
export const alarm = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : html`<p class="notice wrong" role="alert">${text}</p>`
