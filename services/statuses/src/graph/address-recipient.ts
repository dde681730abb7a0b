import type { Tx } from '@rookery/database'
import type { KeyedFact } from '@rookery/events'
import type { StatusesTables } from '../database/schema.ts'
import { recipientAddressed } from '../statuses/index.ts'
import { readRelation } from './relation.store.ts'

/**
 * The fact that somebody has reason to be told of an act, or none when it is their own, or a block, a mute or a mute of
 * the thread stands in between (beyond-the-spec 1.14). Decided in the act's transaction, so nobody asks the graph later.
 */
export const addressRecipient = async (
  tx: Tx<StatusesTables>,
  act: { recipientId: string; actorId: string; reason: string; statusId: string; now: Date },
): Promise<KeyedFact[]> => {
  if (act.recipientId === act.actorId) return []
  const relation = await readRelation(tx, act)
  if (!relation || relation.has_block || !relation.wants_notifications) return []
  return [
    recipientAddressed(
      { recipientId: act.recipientId, reason: act.reason, actorId: act.actorId, statusId: act.statusId },
      {
        followsActor: relation.recipient_follows_actor,
        isFollowed: relation.actor_follows_recipient,
        actorCreatedAt: relation.actor_created_at,
      },
    ),
  ]
}
