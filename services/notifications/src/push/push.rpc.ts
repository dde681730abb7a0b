import { PushDefinition } from '@rookery/contracts/notifications'
import type { Database } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { NotificationsTables } from '../database/schema.ts'
import type { ServerKeys } from './server-keys.ts'
import { subscribe, subscriptionOf } from './subscribe.ts'
import { preferencesOf } from './subscription.rules.ts'
import { changeSubscription, listSubscriptions, readSubscription, removeSubscription, removeSubscriptions } from './subscription.store.ts'

/** Serves `Push`. */
export const createPushRpc = (deps: {
  database: Database<NotificationsTables>
  clock: Clock
  keys: () => Promise<ServerKeys>
}): Handler => {
  const { db } = deps.database
  const add = subscribe(deps)
  return handler(PushDefinition, {
    readServerKey: async () => ({ publicKey: (await deps.keys()).current.publicKey }),
    subscribe: (_call, request) => add(request),
    read: async (_call, { tokenId }) => subscriptionOf(orNotFound(await readSubscription(db, tokenId))),
    update: async (_call, request) => {
      const { alerts, policy } = preferencesOf(request)
      const changed = await changeSubscription(db, request.tokenId, { alerts: JSON.stringify(alerts), policy })
      return subscriptionOf(orNotFound(changed))
    },
    unsubscribe: async (_call, { tokenId }) => {
      await removeSubscriptions(db, 'tokenId', [tokenId])
      return {}
    },
    list: async (_call, { accountId }) => {
      const rows = await listSubscriptions(db, accountId)
      const subscriptions = rows.map(({ id, endpoint, alerts, createdAt }) => ({
        id,
        host: URL.parse(endpoint)?.host ?? '',
        createdAtMilliseconds: createdAt.getTime(),
        alerts: Object.keys(alerts).filter((type) => alerts[type]),
      }))
      return { subscriptions }
    },
    remove: async (_call, request) => {
      await removeSubscription(db, request)
      return {}
    },
  })
}
