import type { Violation } from '@rookery/failures'
import { html } from '@rookery/pages'
import { alarm, checkBox, field, form, textArea } from './field.ts'
import type { Frame, Page } from './layout.ts'
import { violationSentence } from './violation.ts'

/** The typed values; the password is never sent back. */
export type Typed = { username: string; email: string; reason: string; hasAgreed: boolean }

/** The sign-up page, with violations beside the fields. */
export const signUpPage = (
  { texts, host }: Frame,
  view: {
    action: string
    formToken: string
    typed: Typed
    violations: readonly Violation[]
    needsReason: boolean
    hasTerms: boolean
    /** The inviter's username, if available. */
    inviter?: string | undefined
    signInPath: string
  },
): Page => {
  const { signUp } = texts
  const errorOf = (name: string) => {
    const found = view.violations.find((violation) => violation.field === name)
    return found && violationSentence(texts, found)
  }
  const linkTo = (path: string, name: string) => html`<a href="${path}?lang=${texts.language}">${name}</a>`
  const isWrong = view.violations.length > 0
  const fields = html`
${field({ name: 'username', label: signUp.username, value: view.typed.username, autocomplete: 'username', hint: signUp.usernameHint, error: errorOf('username'), suffix: `@${host}`, maxLength: 30, isFocused: !isWrong })}
${field({ name: 'email', label: signUp.email, type: 'email', value: view.typed.email, autocomplete: 'email', error: errorOf('email') })}
${field({ name: 'password', label: signUp.password, type: 'password', autocomplete: 'new-password', hint: signUp.passwordHint, error: errorOf('password') })}
${view.needsReason && textArea({ name: 'reason', label: signUp.reason, value: view.typed.reason, hint: signUp.reasonHint, error: errorOf('reason'), maxLength: 420 })}
${checkBox({ name: 'agreement', label: view.hasTerms ? signUp.agreementWithTerms : signUp.agreement, isTicked: view.typed.hasAgreed, error: errorOf('agreement') })}
<p class="small">${linkTo('/about', signUp.rules)}${view.hasTerms && html` · ${linkTo('/terms-of-service', signUp.terms)}`} · ${linkTo('/privacy-policy', signUp.privacy)}</p>
<button type="submit">${signUp.submit}</button>`
  return {
    title: signUp.title,
    lead: view.inviter ? signUp.invited(view.inviter, host) : signUp.lead(host),
    body: html`${alarm(isWrong ? signUp.summary : undefined)}
${form({ action: view.action, formToken: view.formToken, body: fields })}
<p class="foot">${signUp.haveAccount} <a href="${view.signInPath}">${signUp.signIn}</a></p>`,
  }
}
