import { html } from '@rookery/pages'
import { alarm, field, form } from './field.ts'
import type { Frame, Page } from './layout.ts'

/** The page where a person says who they are. */
export const signInPage = (
  { texts }: Frame,
  view: {
    lead: string
    action: string
    formToken: string
    email?: string
    problem?: string
    signUpPath: string | undefined
    forgotPath: string | undefined
  },
): Page => {
  const { signIn } = texts
  const isAgain = Boolean(view.email)
  const fields = html`
${field({ name: 'email', label: signIn.email, type: 'email', value: view.email, autocomplete: 'username', isFocused: !isAgain })}
${field({ name: 'password', label: signIn.password, type: 'password', autocomplete: 'current-password', isFocused: isAgain })}
<button type="submit">${signIn.submit}</button>`
  return {
    title: signIn.title,
    lead: view.lead,
    body: html`${alarm(view.problem)}
${form({ action: view.action, formToken: view.formToken, body: fields })}
${view.forgotPath && html`<p class="small"><a href="${view.forgotPath}">${signIn.forgot}</a></p>`}
${view.signUpPath && html`<p class="foot">${signIn.noAccount} <a href="${view.signUpPath}">${signIn.signUp}</a></p>`}`,
  }
}
