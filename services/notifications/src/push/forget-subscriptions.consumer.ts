import { type Consumer, consumer } from '@rookery/events'
import type { NotificationsTables } from '../database/schema.ts'
import { pauseSubscriptions, removeSubscriptions } from './subscription.store.ts'

/** Ends the alerts of tokens that are revoked, and stops those of accounts while their login is disabled. */
export const forgetSubscriptions = (): Consumer<NotificationsTables> =>
  consumer({
    name: 'notifications.push-subscriptions',
    topic: 'auth.v1',
    kinds: ['tokenRevoked', 'loginStateChanged'],
    handle: async (tx, received) => {
      for (const { event } of received) {
        if (event.$case === 'tokenRevoked') await removeSubscriptions(tx, 'tokenId', [event.value.tokenId])
        else await pauseSubscriptions(tx, [event.value.accountId], !event.value.isActive)
      }
    },
  })
