import { html } from '@rookery/pages'
import { checkBox, form } from './field.ts'
import type { Frame, Page } from './layout.ts'
import type { MailKind } from './texts/index.ts'

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The page on which an account chooses among the kinds of mail that it can get. */
export const mailPage = (
  { texts }: Frame,
  view: { formToken: string; kinds: readonly MailKind[]; choices: Readonly<Record<MailKind, boolean>>; note?: string | undefined },
): Page => {
  const { notificationMails: mails, language } = texts
  const boxes = view.kinds.map((kind) =>
    checkBox({ name: kind, label: capitalised(mails.kinds[kind]), isTicked: view.choices[kind], isOptional: true }),
  )
  const body = html`${boxes}<button type="submit">${mails.submit}</button>`
  return {
    section: 'mail',
    title: mails.title,
    lead: mails.lead,
    body: html`${view.note && html`<p class="notice" role="status">${view.note}</p>`}
${form({ action: `/auth/account/mail?lang=${language}`, formToken: view.formToken, body })}`,
  }
}

/** The page of the link in a mail. Only its button unsubscribes, because mail scanners follow links. */
export const unsubscribePage = ({ texts }: Frame, view: { token: string; kind: MailKind }): Page => {
  const { unsubscribe, kinds } = texts.notificationMails
  const action = `/auth/mail/unsubscribe?token=${encodeURIComponent(view.token)}&lang=${texts.language}`
  // The token authorizes the request, instead of a form token: mail programs post it directly, without this page.
  return {
    title: unsubscribe.title,
    lead: unsubscribe.lead(kinds[view.kind]),
    body: html`<form method="post" action="${action}"><button type="submit">${unsubscribe.submit}</button></form>`,
  }
}
