import type { LiveChannel, Presence } from '@rookery/ephemeral'
import { liveConversation, type OwnedConversation } from './conversation.events.ts'

/**
 * Tells whoever is connected that their conversations changed (beyond-the-spec 1.7). Nothing of it can fail: presence out of reach answers
 * nobody, and a live message may be lost.
 */
export const tellOwners =
  ({ live, presence }: { live: LiveChannel; presence: Presence }) =>
  async (conversations: readonly OwnedConversation[]): Promise<void> => {
    if (conversations.length === 0) return
    const connected = new Set(await presence.connected())
    for (const conversation of conversations) if (connected.has(conversation.ownerId)) live.publish(liveConversation(conversation))
  }
