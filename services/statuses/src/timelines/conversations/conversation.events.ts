import { LiveMessage } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** A conversation and its owner. */
export type OwnedConversation = { id: string; ownerId: string }

/** The owner marked the conversation as read or unread. */
export const conversationMarked = ({ id, ownerId }: OwnedConversation): OutboxEvent => ({
  key: ownerId,
  event: { $case: 'conversationMarked', value: { conversationId: id, accountId: ownerId } },
})

/** The encoded live message of a changed or marked conversation. */
export const liveConversation = ({ id, ownerId }: OwnedConversation, eventId: string): Uint8Array =>
  LiveMessage.encode({ eventId, event: { $case: 'conversation', value: { recipientId: ownerId, conversationId: id } } }).finish()
