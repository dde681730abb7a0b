import { LiveMessage } from '@rookery/contracts/events'

/** A conversation and who has it. */
export type OwnedConversation = { id: string; ownerId: string }

/** What open connections of the owner are told of a conversation that has something new or was marked, encoded. */
export const liveConversation = ({ id, ownerId }: OwnedConversation): Uint8Array =>
  LiveMessage.encode({ event: { $case: 'conversation', value: { recipientId: ownerId, conversationId: id } } }).finish()
