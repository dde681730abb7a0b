import type { MailChoices, NotificationEmails } from '../../accounts/notification-emails/index.ts'
import { MAIL_KINDS } from '../../accounts/notification-emails/index.ts'
import { mailPage, noticePage } from '../../web/html/index.ts'
import { booleanOf, sendPage } from '../../web/http/index.ts'
import { forSignedIn, type Pages, type Visit, type VisitDeps } from './visitor.ts'

type Deps = VisitDeps & { notificationEmails: NotificationEmails; canSendMail: boolean }

/** GET and POST /auth/account/mail: of which notifications someone gets mail. */
export const mailPages = (deps: Deps): Pages => {
  const show = async ({ request, response, frame }: Visit, choices: MailChoices, note?: string) => {
    if (!deps.canSendMail) return sendPage(response, frame, { ...noticePage(frame.texts.notificationMails.none), section: 'mail' }, 404)
    const formToken = await deps.formTokens.issue(request, response)
    sendPage(response, frame, mailPage(frame, { formToken, choices, note }))
  }
  return {
    show: forSignedIn(deps, async (visit) => show(visit, await deps.notificationEmails.choicesOf(visit.accountId))),
    submit: forSignedIn(deps, async (visit) => {
      const form = await deps.formTokens.read(visit.request)
      const choices = Object.fromEntries(MAIL_KINDS.map((kind) => [kind, booleanOf(form, kind)])) as MailChoices
      await deps.notificationEmails.choose(visit.accountId, choices)
      await show(visit, choices, visit.frame.texts.notificationMails.saved)
    }),
  }
}
