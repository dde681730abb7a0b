import type { NotificationDetail } from '@rookery/contracts/common'
import type { RecipientAddressed } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** An act, and whom to notify. */
export type Address = Pick<RecipientAddressed, 'recipientId' | 'reason' | 'actorId' | 'statusId' | 'reportId'>

/** The relationship of the two at the moment of the act. */
export type Relationship = {
  followsActor: boolean
  /** Since when the actor follows the recipient, in milliseconds since 1970; null where it does not. */
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

/** An account is to be notified of what happened to it. */
export const subjectAddressed = (accountId: string, reason: string, detail: NotificationDetail): OutboxEvent => ({
  key: accountId,
  event: {
    $case: 'recipientAddressed',
    value: { recipientId: accountId, reason, actorId: accountId, statusId: '', relation: undefined, detail },
  },
})

/** What someone was notified of is undone; fields left empty match everything. */
export const notificationWithdrawn = (withdrawn: {
  recipientId: string
  reason: string
  actorId: string
  statusId: string
}): OutboxEvent => ({
  key: withdrawn.recipientId,
  event: { $case: 'notificationWithdrawn', value: withdrawn },
})
