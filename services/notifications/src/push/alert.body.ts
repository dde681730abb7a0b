import { AccountBody, type AccountView, type StatusPage } from '@rookery/contracts/statuses'
import { excerptOf, shortened } from '@rookery/entities'
import { plainText } from '@rookery/markup'
import { titleOf } from './alert.texts.ts'

const MAX_BODY_LENGTH = 140

/** What an alert is about, as its recipient may see it. */
type AlertSubject = {
  readonly notification: { id: string; type: string; statusId: string | null }
  readonly sender: AccountView
  readonly statuses: StatusPage
  readonly locale: string
  readonly accessToken: string
  readonly missingAvatar: string
}

/**
 * The body of an alert (beyond-the-spec 1.8): what a service worker shows, and asks with. Undefined when there is nothing to alert of: what
 * it is about is gone or may not be seen any more, or a filter hides it. What a filter only warns of is named by the filter.
 */
export const alertBody = (subject: AlertSubject): Buffer | undefined => {
  const { notification, sender, statuses, locale } = subject
  const account = AccountBody.decode(sender.body)
  const text = notification.statusId ? excerptOf(statuses, notification.statusId) : plainText(account.note)
  if (text === undefined) return undefined
  return Buffer.from(
    JSON.stringify({
      access_token: subject.accessToken,
      preferred_locale: locale,
      notification_id: Number(notification.id),
      notification_type: notification.type,
      icon: account.avatarUrl || subject.missingAvatar,
      title: titleOf(notification.type, account.displayName || account.username, locale),
      body: shortened(text, MAX_BODY_LENGTH),
    }),
  )
}
