import { AccountBody, type AccountView, StatusBody, type StatusItem, type StatusPage } from '@rookery/contracts/statuses'
import { plainText } from '@rookery/markup'
import { titleOf } from './alert.texts.ts'

const MAX_BODY_LENGTH = 140

/** What an alert is about, as its recipient may see it. */
export type AlertSubject = {
  readonly notification: { id: string; type: string; statusId: string | null }
  readonly sender: AccountView
  readonly statuses: StatusPage
  readonly locale: string
  readonly accessToken: string
  readonly missingAvatar: string
}

const cut = (text: string) => {
  const characters = [...text.trim()]
  return characters.length > MAX_BODY_LENGTH ? `${characters.slice(0, MAX_BODY_LENGTH - 1).join('')}…` : characters.join('')
}

/** The filters of the recipient that fit the item and count for notifications. */
const filtersOf = (item: StatusItem | undefined) =>
  [item?.overlay, item?.reblogOverlay]
    .flatMap((overlay) => overlay?.filtered?.results ?? [])
    .flatMap(({ filter }) => (filter?.contexts.includes('notifications') ? [filter] : []))

/**
 * The body of an alert (beyond-the-spec 1.8): what a service worker shows, and asks with. Undefined when there is nothing to alert of: what
 * it is about is gone or may not be seen any more, or a filter hides it. What a filter only warns of is named by the filter.
 */
export const alertBody = (subject: AlertSubject): Buffer | undefined => {
  const { notification, sender, statuses, locale } = subject
  const item = statuses.items.find(({ id }) => id === notification.statusId)
  const view = statuses.statuses.find(({ id }) => id === (item?.reblogOfId || notification.statusId))
  if (notification.statusId && !view) return undefined
  const filters = filtersOf(item)
  if (filters.some(({ action }) => action === 'hide')) return undefined
  const account = AccountBody.decode(sender.body)
  const status = view && StatusBody.decode(view.body)
  const text = status ? status.spoilerText || plainText(status.content) : plainText(account.note)
  return Buffer.from(
    JSON.stringify({
      access_token: subject.accessToken,
      preferred_locale: locale,
      notification_id: Number(notification.id),
      notification_type: notification.type,
      icon: account.avatarUrl || subject.missingAvatar,
      title: titleOf(notification.type, account.displayName || account.username, locale),
      body: cut(filters[0]?.title ?? text),
    }),
  )
}
