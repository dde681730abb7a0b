import type { AccountsDefinition, GraphDefinition, ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { addresses } from '@rookery/entities'
import { type LiveChannel, livePublisher, type Presence } from '@rookery/ephemeral'

import type { Outbox } from '@rookery/events'
import type { Client } from '@rookery/rpc'
import { backlogRpc, type Clock, type Logger, type ServiceModule, type ServiceSchema } from '@rookery/runtime'
import { guardedFetch, type MayConnect } from '@rookery/ssrf-safe-fetch'
import type { NotificationsConfig } from './config.ts'
import { migrations } from './database/migrations/index.ts'
import type { NotificationsTables } from './database/schema.ts'
import { listUnread } from './digests/list-unread.consumer.ts'
import { createGroupsRpc } from './groups/groups.rpc.ts'
import { createInboxRpc } from './inbox/inbox.rpc.ts'
import { noteAppeals } from './inbox/note-appeals.consumer.ts'
import { intake } from './intake/intake.consumer.ts'
import { forgetMarkers } from './markers/forget-markers.consumer.ts'
import { createMarkersRpc } from './markers/markers.rpc.ts'
import { publishMarkers } from './markers/publish-markers.consumer.ts'
import { forgetPoliciesOfRemoved } from './policy/forget-policies.consumer.ts'
import { createPoliciesRpc } from './policy/policies.rpc.ts'
import { forgetSubscriptions } from './push/forget-subscriptions.consumer.ts'
import { alertMetrics, noAlerts, pushService, serverKeys } from './push/index.ts'
import { createPushRpc } from './push/push.rpc.ts'
import { sendAlert } from './push/send-alert.job.ts'
import { mergeNotifications } from './requests/merge-notifications.job.ts'
import { publishMerged } from './requests/publish-merged.consumer.ts'
import { createRequestsRpc } from './requests/requests.rpc.ts'

export { type NotificationsConfig, readNotificationsConfig, settings } from './config.ts'
export type { NotificationsTables } from './database/schema.ts'

/** The schema `notifications`. */
export const schema: ServiceSchema = { name: 'notifications', migrations }

/** The dependencies of notifications. */
type NotificationsDeps = {
  database: Database<NotificationsTables>
  outbox: Outbox
  live: LiveChannel
  presence: Presence
  statuses: { views: Client<ViewsDefinition>; graph: Client<GraphDefinition>; accounts: Client<AccountsDefinition> }
  config: NotificationsConfig
  mayConnect?: MayConnect
  clock: Clock
  log: Logger
}

/** They mostly wait for push services. */
const ALERTS_AT_ONCE = 16

/** Creates the module of notifications: rows created once from events, the inbox that shows them, and pushes to devices. */
export const createNotifications = (deps: NotificationsDeps): ServiceModule => {
  const { config, mayConnect } = deps
  const publishLive = livePublisher(deps)
  const keys = serverKeys(deps)
  const fetch = guardedFetch({ baseUrl: config.baseUrl, ...(mayConnect ? { mayConnect } : {}) })
  const send = pushService({ fetch, subject: config.pushSubject })
  const counts = noAlerts()
  const { missingAvatar } = addresses(config.baseUrl)
  return {
    rpc: [
      createInboxRpc(deps),
      createGroupsRpc(deps),
      createMarkersRpc(deps),
      createPushRpc({ ...deps, keys }),
      createPoliciesRpc(deps),
      createRequestsRpc(deps),
      backlogRpc({ ...deps, service: 'notifications' }),
    ],
    consumers: [
      intake({ ...deps, publishLive }),
      forgetMarkers(),
      publishMarkers({ ...deps, publishLive }),
      forgetPoliciesOfRemoved(),
      publishMerged({ publishLive }),
      forgetSubscriptions(deps),
      listUnread(deps),
      noteAppeals(),
    ],
    jobs: [sendAlert({ ...deps, keys, send, counts, missingAvatar }), mergeNotifications(deps)],
    jobsAtOnce: ALERTS_AT_ONCE,
    metrics: alertMetrics(counts),
  }
}
