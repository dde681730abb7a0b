import { AccountBody, type AccountView, type StatusPage } from '@rookery/contracts/statuses'
import { excerptOf, shortened } from '@rookery/entities'
import { plainText } from '@rookery/markup'
import { titleOf } from './alert.texts.ts'

const MAX_BODY_LENGTH = 140

/** The subject of an alert, as its recipient may see it. */
type AlertSubject = {
  readonly notification: { id: string; type: string; statusId: string | null }
  readonly sender: AccountView
  readonly statuses: StatusPage
  readonly locale: string
  readonly accessToken: string
  readonly missingAvatar: string
}

/**
 * The payload of an alert (beyond-the-spec 1.8): the fields that a service worker shows, and a token for its requests. Undefined if there
 * is nothing to show: the subject is gone or no longer visible, or a filter hides it. If a filter only warns, the alert has the filter's
 * name.
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
