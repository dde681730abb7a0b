import { html } from '@rookery/pages'
import { form, hidden } from './field.ts'
import type { Frame, Page } from './layout.ts'
import type { FaultName, Texts } from './texts/index.ts'

/** A link to continue with. */
export type Link = { path: string; name: string }

/** The link to sign in. */
export const signInLink = ({ language, signIn }: Texts): Link => ({ path: `/auth/sign_in?lang=${language}`, name: signIn.submit })

/** The link to sign up. */
export const signUpLink = ({ language, signUp }: Texts): Link => ({ path: `/auth/sign_up?lang=${language}`, name: signUp.title })

/** The link to the settings of the login. */
export const loginLink = ({ language, account }: Texts): Link => ({ path: `/auth/account?lang=${language}`, name: account.title })

/** A page with a message, and a link to continue. */
export const noticePage = (notice: { title: string; text: string }, link?: Link): Page => ({
  title: notice.title,
  lead: notice.text,
  ...(link && { body: html`<p><a href="${link.path}">${link.name}</a></p>` }),
})

/** An error page, with the API's error code for reports. */
export const faultPage = ({ texts }: Frame, fault: { name: FaultName; code?: string | undefined }): Page => {
  const { title, text } = texts.faults[fault.name]
  return { title, lead: text, body: html`${fault.code && html`<p class="technical">${fault.code}</p>`}` }
}

/** The page that asks to check the mailbox, with a button to send the mail again. */
export const mailSentPage = ({ texts }: Frame, view: { action: string; formToken: string; ticket: string; isResent: boolean }): Page => {
  const body = html`${hidden('ticket', view.ticket)}<button type="submit" class="quiet">${texts.mailSent.resend}</button>`
  return {
    title: texts.mailSent.title,
    lead: texts.mailSent.text,
    body: html`${view.isResent && html`<p class="notice" role="status">${texts.mailSent.resent}</p>`}
${form({ action: view.action, formToken: view.formToken, body })}`,
  }
}

/** The page of a mailed link. Only its button confirms, because mail scanners follow links. */
export const confirmPage = ({ texts }: Frame, view: { action: string; formToken: string; token: string }): Page => ({
  title: texts.confirm.title,
  lead: texts.confirm.text,
  body: form({
    action: view.action,
    formToken: view.formToken,
    body: html`${hidden('token', view.token)}<button type="submit">${texts.confirm.submit}</button>`,
  }),
})
