import type { MailKind, NotificationEmails } from '../../accounts/notification-emails/index.ts'
import { mailPage, noticePage } from '../../web/html/index.ts'
import { booleanOf, sendPage } from '../../web/http/index.ts'
import { forSignedIn, type Pages, type Visit, type VisitDeps } from './visitor.ts'

type Deps = VisitDeps & { notificationEmails: NotificationEmails; canSendMail: boolean }

/** GET and POST /auth/account/mail: an account's choices of mail. */
export const mailPages = (deps: Deps): Pages => {
  const { notificationEmails } = deps
  const show = async ({ request, response, frame, accountId }: Visit, kinds: readonly MailKind[], note?: string) => {
    if (!deps.canSendMail) return sendPage(response, frame, { ...noticePage(frame.texts.notificationMails.none), section: 'mail' }, 404)
    const choices = await notificationEmails.choicesOf(accountId)
    const formToken = await deps.formTokens.issue(request, response)
    sendPage(response, frame, mailPage(frame, { formToken, kinds, choices, note }))
  }
  return {
    show: forSignedIn(deps, async (visit) => show(visit, await notificationEmails.kindsOf(visit.accountId))),
    submit: forSignedIn(deps, async (visit) => {
      const form = await deps.formTokens.read(visit.request)
      const kinds = await notificationEmails.kindsOf(visit.accountId)
      await notificationEmails.choose(visit.accountId, Object.fromEntries(kinds.map((kind) => [kind, booleanOf(form, kind)])))
      await show(visit, kinds, visit.frame.texts.notificationMails.saved)
    }),
  }
}
