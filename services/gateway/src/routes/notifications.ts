import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { Notification, NotificationPage } from '@rookery/contracts/notifications'
import { jsonList, notificationJson } from '@rookery/entities'
import { orNotFound } from '@rookery/failures'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { endpoint, type Method, Reply, TIMELINE } from '../http/endpoint.ts'
import { form, limit, pageOf, paging, textList } from '../http/fields.ts'
import { notificationFilter, notificationFilterOf } from './notification-filter.ts'
import { recordId, reportsIn } from './replies.ts'

/** Notifications as JSON, in order; those whose account, status or report is gone are left out. */
const jsonOf = ({ notifications, views, reports }: NotificationPage, { render }: Clients): Buffer[] => {
  const accounts = new Map(views?.accounts.map((view) => [view.id, view]))
  const statuses = views && render.statusesById(views)
  const reportOf = reportsIn({ views, reports }, render)
  const one = (notification: Notification): Buffer[] => {
    const account = accounts.get(notification.accountId)
    const status = statuses?.get(notification.statusId)
    const report = reportOf(notification.reportId)
    if (!account || (notification.statusId && !status) || (notification.reportId && !report)) return []
    return [notificationJson(notification, { account: render.account(account), status, report })]
  }
  return notifications.flatMap(one)
}

export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/v1/notifications',
  access: User('read:notifications'),
  summary: 'Notifications of the viewer, newest first.',
  input: form({
    // Clients request up to 100 and get the contract's maximum.
    ...paging(PAGE_SIZES.notifications),
    ...notificationFilter,
  }),
  handle: async ({ call, input, viewerId }, clients) => {
    const page = await clients.inbox.list(call, { viewerId, ...notificationFilterOf(input), page: pageOf(input) })
    return new Reply(jsonList(jsonOf(page, clients)), { page: { cursors: page.cursors, style: TIMELINE } })
  },
})

export const countUnreadNotifications = endpoint({
  method: 'GET',
  path: '/api/v1/notifications/unread_count',
  access: User('read:notifications'),
  summary: 'Number of unread notifications.',
  input: form({ limit: limit(PAGE_SIZES.unread), ...notificationFilter }),
  handle: async ({ call, input, viewerId }, { inbox }) => ({
    count: (await inbox.countUnread(call, { viewerId, ...notificationFilterOf(input), limit: input.limit })).count,
  }),
})

export const readNotification = endpoint({
  method: 'GET',
  path: '/api/v1/notifications/:id',
  access: User('read:notifications'),
  summary: 'One notification.',
  handle: async ({ call, params, viewerId }, clients) =>
    orNotFound(jsonOf(await clients.inbox.read(call, { id: recordId(params), viewerId }), clients)[0]),
})

const dismissal = (method: Method, path: string) =>
  endpoint({
    method,
    path,
    access: User('write:notifications'),
    summary: 'Removes one notification.',
    handle: async ({ call, params, viewerId }, { inbox }) => {
      await inbox.dismiss(call, { id: recordId(params), viewerId })
      return {}
    },
  })

export const dismissNotification = dismissal('POST', '/api/v1/notifications/:id/dismiss')
export const deleteNotification = dismissal('DELETE', '/api/v1/notifications/:id')

export const deleteNotifications = endpoint({
  method: 'DELETE',
  path: '/api/v1/notifications/destroy_multiple',
  access: User('write:notifications'),
  summary: 'Removes several notifications; those that are not there are passed over.',
  input: form({ ids: textList() }),
  handle: async ({ call, input, viewerId }, { inbox }) => {
    await inbox.dismissMany(call, { ids: input.ids, viewerId })
    return {}
  },
})

const clear = (version: 'v1' | 'v2') =>
  endpoint({
    method: 'POST',
    path: `/api/${version}/notifications/clear`,
    access: User('write:notifications'),
    summary: 'Removes all notifications.',
    handle: async ({ call, viewerId }, { inbox }) => {
      await inbox.clear(call, { viewerId })
      return {}
    },
  })

export const clearNotifications = clear('v1')
export const clearNotificationGroups = clear('v2')
