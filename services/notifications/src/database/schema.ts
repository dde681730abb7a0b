import type { EventTables } from '@rookery/events'
import type { EndedAccessTable } from './tables/ended-access.ts'
import type { MarkerTable } from './tables/marker.ts'
import type { NotificationTable } from './tables/notification.ts'
import type { NotificationGroupTable } from './tables/notification-group.ts'
import type { NotificationPermissionTable } from './tables/notification-permission.ts'
import type { NotificationPolicyTable } from './tables/notification-policy.ts'
import type { NotificationRequestTable } from './tables/notification-request.ts'
import type { PushSubscriptionTable } from './tables/push-subscription.ts'
import type { ServerKeyTable } from './tables/server-key.ts'

/** All tables of the schema `notifications`. */
export type NotificationsTables = EventTables & {
  notification: NotificationTable
  notificationGroup: NotificationGroupTable
  notificationPermission: NotificationPermissionTable
  notificationPolicy: NotificationPolicyTable
  notificationRequest: NotificationRequestTable
  endedAccess: EndedAccessTable
  marker: MarkerTable
  pushSubscription: PushSubscriptionTable
  serverKey: ServerKeyTable
}
