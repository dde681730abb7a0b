import { type Consumer, consumer } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { NotificationsTables } from '../database/schema.ts'
import { holdBackSubscriptions, noteEnded, noteResumed } from './ended-access.store.ts'
import { pauseSubscriptions, removeSubscriptions } from './subscription.store.ts'

/**
 * Deletes the subscriptions of revoked tokens, and pauses those of accounts while their login is disabled; subscriptions made at the same
 * time included.
 */
export const forgetSubscriptions = ({ clock }: { clock: Clock }): Consumer<NotificationsTables> =>
  consumer({
    name: 'notifications.push-subscriptions',
    topic: 'auth.v1',
    kinds: ['tokenRevoked', 'loginStateChanged'],
    handle: async (tx, received) => {
      const revoked = received.flatMap(({ event }) => (event.$case === 'tokenRevoked' ? [event.value.tokenId] : []))
      const states = new Map(
        received
          .flatMap(({ event }) => (event.$case === 'loginStateChanged' ? [event.value] : []))
          .map((state) => [state.accountId, state.isActive]),
      )
      const accounts = Map.groupBy(states.keys(), (accountId) => states.get(accountId) === true)
      const [active, inactive] = [accounts.get(true) ?? [], accounts.get(false) ?? []]
      await holdBackSubscriptions(tx, [...revoked, ...states.keys()])
      await noteEnded(tx, 'token', revoked, clock.now())
      await noteEnded(tx, 'login', inactive, clock.now())
      await noteResumed(tx, active)
      await removeSubscriptions(tx, 'tokenId', revoked)
      await pauseSubscriptions(tx, inactive, true)
      await pauseSubscriptions(tx, active, false)
    },
  })
