import { type Consumer, consumer } from '@rookery/events'
import type { NotificationsTables } from '../database/schema.ts'
import { forgetPermissions, revokePermissions } from './permission.store.ts'
import { forgetPolicies } from './policy.store.ts'

/** Deletes policies and permissions of removed accounts; a block revokes the blocker's permission of the blocked account. */
export const forgetPoliciesOfRemoved = (): Consumer<NotificationsTables> =>
  consumer({
    name: 'notifications.policies',
    topic: 'statuses.v1',
    kinds: ['accountRemoved', 'accountBlocked'],
    async handle(tx, received) {
      const removed = received.flatMap(({ event }) => (event.$case === 'accountRemoved' ? [event.value.accountId] : []))
      const blocks = received.flatMap(({ event }) => (event.$case === 'accountBlocked' ? [event.value] : []))
      if (blocks.length > 0) {
        await revokePermissions(
          tx,
          blocks.map(({ accountId, targetId }) => ({ recipientId: accountId, actorId: targetId })),
        )
      }
      if (removed.length === 0) return
      await forgetPolicies(tx, removed)
      await forgetPermissions(tx, removed)
    },
  })
