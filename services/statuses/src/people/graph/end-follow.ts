import type { Tx } from '@rookery/database'
import type { OutboxEvent } from '@rookery/events'
import { notificationWithdrawn } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { leaveLists } from '../lists/index.ts'
import { EndorsementWriter } from './endorsement.store.ts'
import { accountUnfollowed } from './graph.events.ts'
import { GraphWriter } from './graph.store.ts'

type Pair = { accountId: string; targetId: string }

const withdrawn = (pair: Pair, reason: string): OutboxEvent =>
  notificationWithdrawn({ recipientId: pair.targetId, reason, actorId: pair.accountId, statusId: '' })

/** Ends a follow, and with it the place on lists and on the profile, in a transaction that holds both people; says what follows from it. */
export const endFollow = async (tx: Tx<StatusesTables>, pair: Pair): Promise<OutboxEvent[]> => {
  if (!(await new GraphWriter(tx).remove('follow', pair))) return []
  await new EndorsementWriter(tx).remove(pair)
  const left = await leaveLists(tx, { ownerId: pair.accountId, memberId: pair.targetId })
  return [accountUnfollowed(pair), withdrawn(pair, 'follow'), ...left]
}

/** Ends what one person has of another, follow or request, in such a transaction; says what follows from it. */
export const endFollowOrRequest = async (tx: Tx<StatusesTables>, pair: Pair): Promise<OutboxEvent[]> => {
  const ended = await endFollow(tx, pair)
  const hadAsked = await new GraphWriter(tx).remove('followRequest', pair)
  return hadAsked ? [...ended, withdrawn(pair, 'follow_request')] : ended
}
