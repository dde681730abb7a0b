import type { MigrationSet } from '@rookery/database'
import type { EventTables } from '@rookery/events'
import * as m0001 from './migrations/0001-notifications.ts'
import * as m0002 from './migrations/0002-markers.ts'
import * as m0003 from './migrations/0003-reports.ts'
import * as m0004 from './migrations/0004-push.ts'
import type { MarkerTable } from './tables/marker.ts'
import type { NotificationTable } from './tables/notification.ts'
import type { PushSubscriptionTable } from './tables/push-subscription.ts'
import type { ServerKeyTable } from './tables/server-key.ts'

/** Every table of the schema `notifications`. */
export type NotificationsTables = EventTables & {
  notification: NotificationTable
  marker: MarkerTable
  pushSubscription: PushSubscriptionTable
  serverKey: ServerKeyTable
}

/** The schema, step by step. */
export const migrations: MigrationSet = {
  name: 'notifications',
  steps: { '0001-notifications': m0001, '0002-markers': m0002, '0003-reports': m0003, '0004-push': m0004 },
}
