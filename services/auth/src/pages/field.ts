import { type Html, html } from './html.ts'

/** One line of a form. */
export type Field = {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  value?: string | undefined
  autocomplete: string
  hint?: string
  error?: string | undefined
  /** What follows the text for the reader, e.g. the host after a username. */
  suffix?: string
  maxLength?: number
  isFocused?: boolean
}

const describedBy = ({ name, hint, error }: Pick<Field, 'name' | 'hint' | 'error'>) =>
  [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ')

const flag = (isSet: boolean | undefined, attribute: string): Html => ({ html: isSet ? ` ${attribute}` : '' })

const notes = ({ name, hint, error }: Pick<Field, 'name' | 'hint' | 'error'>): Html => html`
${error && html`<p class="error" id="${name}-error">${error}</p>`}
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}`

/** A labelled text input. Browsers neither capitalise nor correct what is typed, for none of these is prose. */
export const field = (given: Field): Html => {
  const { name, type = 'text', value = '', autocomplete, error, suffix, maxLength } = given
  const described = describedBy(given)
  const input = html`<input id="${name}" name="${name}" type="${type}" value="${type === 'password' ? '' : value}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false"${maxLength ? html` maxlength="${maxLength}"` : ''}${described ? html` aria-describedby="${described}"` : ''}${flag(Boolean(error), 'aria-invalid="true"')}${flag(given.isFocused, 'autofocus')} required>`
  return html`<div class="field">
<label for="${name}">${given.label}</label>
${suffix ? html`<div class="suffixed">${input}<span aria-hidden="true">${suffix}</span></div>` : input}
${notes(given)}
</div>`
}

/** A labelled text of several lines. */
export const textArea = (given: Pick<Field, 'name' | 'label' | 'value' | 'hint' | 'error'>): Html => {
  const described = describedBy(given)
  return html`<div class="field">
<label for="${given.name}">${given.label}</label>
<textarea id="${given.name}" name="${given.name}" rows="4" maxlength="420"${described ? html` aria-describedby="${described}"` : ''}${flag(Boolean(given.error), 'aria-invalid="true"')} required>${given.value ?? ''}</textarea>
${notes(given)}
</div>`
}

/** A box to tick. */
export const checkBox = (given: { name: string; label: string; isTicked: boolean; error?: string | undefined }): Html => html`
<div class="field check">
<input id="${given.name}" name="${given.name}" type="checkbox" value="true"${flag(given.isTicked, 'checked')}${flag(Boolean(given.error), `aria-invalid="true" aria-describedby="${given.name}-error"`)} required>
<label for="${given.name}">${given.label}</label>
${given.error && html`<p class="error" id="${given.name}-error">${given.error}</p>`}
</div>`

/** What goes with a form unseen. */
export const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

/** The name of the field that proves that a form is one of ours. */
export const FORM_TOKEN = 'form_token'

/** A form that posts to us. `novalidate` leaves the judgement, and its wording, to the server. */
export const form = (given: { action: string; formToken: string; body: Html }): Html => html`
<form method="post" action="${given.action}" novalidate>
${hidden(FORM_TOKEN, given.formToken)}
${given.body}
</form>`

/** A sentence that something is wrong, read out at once. */
export const alarm = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : html`<p class="notice wrong" role="alert">${text}</p>`
