import type { Violation } from '@rookery/failures'
import { html } from '@rookery/pages'
import { alarm, field, form, hidden } from './field.ts'
import type { Frame, Page } from './layout.ts'
import { violationSentence } from './violation.ts'

/** The page for a forgotten password. */
export const forgotPage = ({ texts }: Frame, view: { action: string; formToken: string; problem?: string }): Page => {
  const fields = html`
${field({ name: 'email', label: texts.signIn.name, autocomplete: 'username', isFocused: true })}
<button type="submit">${texts.forgot.submit}</button>`
  return {
    title: texts.forgot.title,
    lead: texts.forgot.lead,
    body: html`${alarm(view.problem)}${form({ action: view.action, formToken: view.formToken, body: fields })}`,
  }
}

/** The page of the mailed link, which sets the new password. */
export const resetPage = (
  { texts }: Frame,
  view: { action: string; formToken: string; token: string; violation?: Violation | undefined },
): Page => {
  const error = view.violation && violationSentence(texts, view.violation)
  const fields = html`${hidden('token', view.token)}
${field({ name: 'password', label: texts.reset.password, type: 'password', autocomplete: 'new-password', hint: texts.signUp.passwordHint, error, isFocused: true })}
<button type="submit">${texts.reset.submit}</button>`
  return {
    title: texts.reset.title,
    lead: texts.reset.lead,
    body: form({ action: view.action, formToken: view.formToken, body: fields }),
  }
}
