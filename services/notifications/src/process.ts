import { AccountsDefinition, GraphDefinition, ViewsDefinition } from '@rookery/contracts/statuses'
import type { ServiceDeclaration } from '@rookery/runtime/service'
import { createNotifications, type NotificationsConfig, type NotificationsTables, readNotificationsConfig, schema } from './module.ts'

/** The declaration of the service. */
export const notifications: ServiceDeclaration<NotificationsConfig, NotificationsTables> = {
  name: 'notifications',
  schema,
  connections: 4,
  calls: ['statuses'],
  // Mostly waits for push services, and is the only part that connects to the internet.
  parts: { push: ['send-alert'] },
  readConfig: readNotificationsConfig,
  create: (given) => {
    const views = given.client('statuses', ViewsDefinition)
    const graph = given.client('statuses', GraphDefinition)
    const accounts = given.client('statuses', AccountsDefinition)
    return createNotifications({ ...given, statuses: { views, graph, accounts } })
  },
}
