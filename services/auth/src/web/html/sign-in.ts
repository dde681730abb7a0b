import { html } from '@rookery/pages'
import { alarm, field, form } from './field.ts'
import type { Frame, Page } from './layout.ts'
import { type PasskeyQuestion, passkeySignIn } from './passkeys.ts'

/** The sign-in page. */
export const signInPage = (
  frame: Frame,
  view: {
    lead: string
    action: string
    formToken: string
    name?: string
    problem?: string
    signUpPath: string | undefined
    forgotPath: string
    passkey: PasskeyQuestion | undefined
  },
): Page => {
  const { signIn } = frame.texts
  const isAgain = Boolean(view.name)
  const fields = html`
${field({ name: 'email', label: signIn.name, value: view.name, autocomplete: 'username', isFocused: !isAgain })}
${field({ name: 'password', label: signIn.password, type: 'password', autocomplete: 'current-password', isFocused: isAgain })}
<button type="submit">${signIn.submit}</button>`
  return {
    title: signIn.title,
    lead: view.lead,
    body: html`${alarm(view.problem)}
${form({ action: view.action, formToken: view.formToken, body: fields })}
${view.passkey && passkeySignIn(frame, view.passkey)}
<p class="small"><a href="${view.forgotPath}">${signIn.forgot}</a></p>
${view.signUpPath && html`<p class="foot">${signIn.noAccount} <a href="${view.signUpPath}">${signIn.signUp}</a></p>`}`,
  }
}
