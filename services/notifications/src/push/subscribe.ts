import type { PushSubscription, SubscribeRequest } from '@rookery/contracts/notifications'
import { type Database, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { NotificationsTables } from '../database/schema.ts'
import { readEnded } from './ended-access.store.ts'
import type { ServerKeys } from './server-keys.ts'
import { addressOf, preferencesOf } from './subscription.rules.ts'
import { replaceSubscription, type StoredSubscription } from './subscription.store.ts'

/** A row as a message. */
export const subscriptionOf = (
  row: Pick<StoredSubscription, 'id' | 'endpoint' | 'standard' | 'alerts' | 'policy' | 'serverKey'>,
): PushSubscription => ({ ...row, id: Number(row.id) })

/**
 * Subscribes a token's client to push notifications, replacing its earlier subscription (spec, Web Push subscription).
 * @throws Failure invalid for an invalid endpoint, P-256 key or policy, unauthenticated when the token was revoked meanwhile
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
    return transact(database.db, async (tx) => {
      const ended = await readEnded(tx, request)
      if (ended.has('token')) throw new Failure('unauthenticated', 'The access token was revoked')
      return subscriptionOf(await replaceSubscription(tx, { ...row, isPaused: ended.has('login') }))
    })
  }
