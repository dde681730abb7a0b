import { AccountsDefinition, GraphDefinition, ViewsDefinition } from '@rookery/contracts/statuses'
import type { ServiceDeclaration } from '@rookery/runtime/service'
import { createNotifications, type NotificationsConfig, type NotificationsTables, readNotificationsConfig, schema } from './module.ts'

/** This service as processes of its own run it. */
export const notifications: ServiceDeclaration<NotificationsConfig, NotificationsTables> = {
  name: 'notifications',
  schema,
  connections: 4,
  calls: ['statuses'],
  // Waits for push services, and is the only part that asks the internet.
  parts: { push: ['send-alert'] },
  readConfig: readNotificationsConfig,
  create: (given) => {
    const views = given.client('statuses', ViewsDefinition)
    const graph = given.client('statuses', GraphDefinition)
    const accounts = given.client('statuses', AccountsDefinition)
    return createNotifications({ ...given, statuses: { views, graph, accounts } })
  },
}
