import type { Tx } from '@rookery/database'
import type { OutboxEvent } from '@rookery/events'
import type { StatusesTables } from '../database/schema.ts'
import { recipientAddressed } from './recipient.events.ts'
import { readRelations } from './relation.store.ts'

/** An act, and the account to notify of it. */
type Act = Parameters<typeof recipientAddressed>[0] & { isPrivateMention?: boolean }

/**
 * The events that notify accounts of acts, except of their own acts and of those hidden by a block, a mute or a muted thread (beyond-the-spec 1.14).
 * Mentions are of one status; `mentionedIds` are all that it mentions. Read in the transaction of the acts, in one statement, so that no consumer
 * reads the graph later.
 */
export const addressRecipients = async (
  tx: Tx<StatusesTables>,
  acts: readonly Act[],
  now: Date,
  mentionedIds?: readonly string[],
): Promise<OutboxEvent[]> => {
  const notified = acts.filter(({ recipientId, actorId }) => recipientId !== actorId)
  if (notified.length === 0) return []
  const relations = await readRelations(tx, notified, { now, mentionedIds })
  return relations.flatMap((relation) => {
    if (!relation.mayNotify) return []
    const relationship = {
      followsActor: relation.recipientFollowsActor,
      followedSince: relation.actorFollowsSince,
      actorCreatedAt: relation.actorCreatedAt,
      isActorLimited: relation.isActorLimited,
      isActorStaff: relation.isActorStaff,
    }
    const { isPrivateMention = false, ...act } = notified[relation.place - 1]!
    return [recipientAddressed(act, { ...relationship, isPrivateMention })]
  })
}
