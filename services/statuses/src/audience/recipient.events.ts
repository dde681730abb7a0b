import type { NotificationDetail } from '@rookery/contracts/common'
import type { RecipientAddressed } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** An act, and whom to notify. */
export type Address = Pick<RecipientAddressed, 'recipientId' | 'reason' | 'actorId' | 'statusId' | 'reportId'>

/** The relationship of recipient and actor at the time of the act. */
export type Relationship = {
  followsActor: boolean
  /** When the actor began to follow the recipient, in milliseconds since 1970; null if it does not. */
  followedSince: number | null
  actorCreatedAt: Date
  isActorLimited: boolean
  isPrivateMention?: boolean
  /** Whether the private mention answers a direct status of the recipient's. */
  isReplyToRecipient?: boolean
  isActorStaff?: boolean
}

/** An account is to be notified. */
export const recipientAddressed = (address: Address, relationship: Relationship): OutboxEvent => ({
  key: address.recipientId,
  event: {
    $case: 'recipientAddressed',
    value: {
      ...address,
      relation: {
        recipientFollowsActor: relationship.followsActor,
        actorFollowsRecipient: relationship.followedSince !== null,
        actorFollowsSinceMilliseconds: Math.floor(relationship.followedSince ?? 0),
        isPrivateMention: relationship.isPrivateMention ?? false,
        isActorLimited: relationship.isActorLimited,
        actorCreatedAtMilliseconds: relationship.actorCreatedAt.getTime(),
        isReplyToRecipient: relationship.isReplyToRecipient ?? false,
        isActorStaff: relationship.isActorStaff ?? false,
      },
    },
  },
})

/** An account is to be notified of an event that concerns itself. */
export const subjectAddressed = (accountId: string, reason: string, detail: NotificationDetail): OutboxEvent => ({
  key: accountId,
  event: {
    $case: 'recipientAddressed',
    value: { recipientId: accountId, reason, actorId: accountId, statusId: '', relation: undefined, detail },
  },
})

/** The cause of a notification was undone; empty fields match everything. */
export const notificationWithdrawn = (withdrawn: {
  recipientId: string
  reason: string
  actorId: string
  statusId: string
}): OutboxEvent => ({
  key: withdrawn.recipientId,
  event: { $case: 'notificationWithdrawn', value: withdrawn },
})
