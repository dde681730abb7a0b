import type { PushSubscription, SubscribeRequest } from '@rookery/contracts/notifications'
import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { NotificationsTables } from '../database/schema.ts'
import type { ServerKeys } from './server-keys.ts'
import { addressOf, preferencesOf } from './subscription.rules.ts'
import { replaceSubscription, type StoredSubscription } from './subscription.store.ts'

/** The message of a row. */
export const subscriptionOf = (
  row: Pick<StoredSubscription, 'id' | 'endpoint' | 'standard' | 'alerts' | 'policy' | 'serverKey'>,
): PushSubscription => ({ ...row, id: Number(row.id) })

/**
 * Has a client alerted of its person's notifications, in place of what its token subscribed to before (spec, Web Push subscription).
 * @throws Failure invalid for what is no endpoint, no key of P-256 or no policy
 */
export const subscribe =
  ({ database, clock, keys }: { database: Database<NotificationsTables>; clock: Clock; keys: () => Promise<ServerKeys> }) =>
  async (request: SubscribeRequest): Promise<PushSubscription> => {
    const address = addressOf(request)
    const { alerts, policy } = preferencesOf(request)
    const { current, encryption } = await keys()
    const row = {
      ...address,
      tokenId: request.tokenId,
      accountId: request.accountId,
      standard: request.standard,
      alerts: JSON.stringify(alerts),
      policy,
      accessToken: encryption.encrypt(request.accessToken),
      serverKey: current.publicKey,
      createdAt: new Date(clock.now()),
    }
    return subscriptionOf(await transact(database.db, (tx) => replaceSubscription(tx, row)))
  }
