import type { Violation } from '@rookery/failures'
import { type Html, html, type SettingsSection } from '@rookery/pages'
import { alarm, field, form, hidden } from './field.ts'
import type { Frame, Page } from './layout.ts'
import { proofFields } from './proof.ts'
import { violationSentence } from './violation.ts'

type FormView = { formToken: string; problem?: string | undefined; violation?: Violation | undefined }

const errorOf = ({ texts }: Frame, { violation }: FormView) => violation && violationSentence(texts, violation)

const page = (
  frame: Frame,
  view: FormView,
  given: { section: SettingsSection; title: string; lead: string; path: string; body: Html },
): Page => ({
  section: given.section,
  title: given.title,
  lead: given.lead,
  body: html`${alarm(view.problem)}
${form({ action: `${given.path}?lang=${frame.texts.language}`, formToken: view.formToken, body: given.body })}`,
})

/** The page for changing the e-mail address. */
export const changeEmailPage = (frame: Frame, view: FormView & { email: string; typed: string }): Page => {
  const { changeEmail } = frame.texts
  const email = { name: 'email', label: changeEmail.email, type: 'email', value: view.typed, autocomplete: 'email' } as const
  const body = html`
${field({ ...email, error: errorOf(frame, view), isFocused: true })}
${proofFields(frame)}
<button type="submit">${changeEmail.submit}</button>`
  return page(frame, view, {
    section: 'login',
    title: changeEmail.title,
    lead: changeEmail.lead(view.email),
    path: '/auth/account/email',
    body,
  })
}

/** The page for changing the password. */
export const changePasswordPage = (frame: Frame, view: FormView): Page => {
  const { reset, signUp } = frame.texts
  const password = { name: 'password', label: reset.password, type: 'password', autocomplete: 'new-password' } as const
  const body = html`
${proofFields(frame)}
${field({ ...password, hint: signUp.passwordHint, error: errorOf(frame, view) })}
<button type="submit">${reset.submit}</button>`
  return page(frame, view, { section: 'login', title: reset.title, lead: reset.lead, path: '/auth/account/password', body })
}

/** The page for deleting the account. */
export const deleteAccountPage = (frame: Frame, view: FormView): Page => {
  const { deleteAccount } = frame.texts
  const body = html`
${proofFields(frame)}
<button type="submit" class="danger">${deleteAccount.submit}</button>`
  return page(frame, view, {
    section: 'deletion',
    title: deleteAccount.title,
    lead: deleteAccount.lead(frame.host),
    path: '/auth/account/delete',
    body,
  })
}

/** The page of a mailed link that confirms a new address. Only its button confirms, because mail scanners follow links. */
export const confirmChangePage = ({ texts }: Frame, view: { formToken: string; token: string; email: string }): Page => ({
  title: texts.confirm.title,
  lead: texts.changeEmail.confirm(view.email),
  body: form({
    action: `/auth/account/email/confirm?lang=${texts.language}`,
    formToken: view.formToken,
    body: html`${hidden('token', view.token)}<button type="submit">${texts.confirm.submit}</button>`,
  }),
})

/** The page for signing out. */
export const signOutPage = ({ texts }: Frame, view: { formToken: string }): Page => ({
  title: texts.signOut.submit,
  lead: texts.signOut.lead,
  body: form({
    action: `/auth/sign_out?lang=${texts.language}`,
    formToken: view.formToken,
    body: html`<button type="submit">${texts.signOut.submit}</button>`,
  }),
})
