import { html } from '@rookery/pages'
import { form, hidden } from './field.ts'
import type { Frame, Page } from './layout.ts'
import type { FaultName } from './texts/index.ts'

/** A page that only says something. */
export const noticePage = (notice: { title: string; text: string }): Page => ({ title: notice.title, lead: notice.text })

/** The page that says what is wrong, with the API's error code for reports. */
export const faultPage = ({ texts }: Frame, fault: { name: FaultName; code?: string | undefined }): Page => {
  const { title, text } = texts.faults[fault.name]
  return { title, lead: text, body: html`${fault.code && html`<p class="technical">${fault.code}</p>`}` }
}

/** The page that sends someone to their mail, with a button to have it sent again. */
export const mailSentPage = ({ texts }: Frame, view: { action: string; formToken: string; ticket: string; isResent: boolean }): Page => {
  const body = html`${hidden('ticket', view.ticket)}<button type="submit" class="quiet">${texts.mailSent.resend}</button>`
  return {
    title: texts.mailSent.title,
    lead: texts.mailSent.text,
    body: html`${view.isResent && html`<p class="notice" role="status">${texts.mailSent.resent}</p>`}
${form({ action: view.action, formToken: view.formToken, body })}`,
  }
}

/** The page a link in a mail leads to. Only its button confirms, because mail scanners follow links. */
export const confirmPage = ({ texts }: Frame, view: { action: string; formToken: string; token: string }): Page => ({
  title: texts.confirm.title,
  lead: texts.confirm.text,
  body: form({
    action: view.action,
    formToken: view.formToken,
    body: html`${hidden('token', view.token)}<button type="submit">${texts.confirm.submit}</button>`,
  }),
})
