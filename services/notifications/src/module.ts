import type { ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type LiveChannel, livePublisher, type Presence } from '@rookery/ephemeral'
import type { Outbox } from '@rookery/events'
import type { Client } from '@rookery/rpc'
import type { Clock, Logger, ServiceModule, ServiceSchema } from '@rookery/runtime'
import type { NotificationsTables } from './database/schema.ts'
import { migrations } from './database/schema.ts'
import { createInboxRpc } from './inbox/inbox.rpc.ts'
import { intake } from './intake/intake.consumer.ts'
import { forgetMarkers } from './markers/forget-markers.consumer.ts'
import { createMarkersRpc } from './markers/markers.rpc.ts'
import { publishMarkers } from './markers/publish-markers.consumer.ts'

export type { NotificationsTables } from './database/schema.ts'

/** The schema `notifications`. */
export const schema: ServiceSchema = { name: 'notifications', migrations }

/** What notifications need from the process that runs them. */
export type NotificationsDeps = {
  database: Database<NotificationsTables>
  outbox: Outbox
  live: LiveChannel
  presence: Presence
  statuses: { views: Client<ViewsDefinition> }
  clock: Clock
  log: Logger
}

/** Notifications: rows made once from events, and the inbox that shows them. */
export const createNotifications = (deps: NotificationsDeps): ServiceModule => {
  const publishLive = livePublisher(deps)
  return {
    rpc: [createInboxRpc(deps), createMarkersRpc(deps)],
    consumers: [intake({ ...deps, publishLive }), forgetMarkers(), publishMarkers({ ...deps, publishLive })],
    jobs: [],
  }
}
