import { ViewsDefinition } from '@rookery/contracts/statuses'
import type { ServiceDeclaration } from '@rookery/runtime/service'
import { createNotifications, type NotificationsTables, schema } from './module.ts'

/** This service as processes of its own run it. */
export const notifications: ServiceDeclaration<object, NotificationsTables> = {
  name: 'notifications',
  schema,
  connections: 4,
  calls: ['statuses'],
  readConfig: () => ({}),
  create: (given) => createNotifications({ ...given, statuses: { views: given.client('statuses', ViewsDefinition) } }),
}
