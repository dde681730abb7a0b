import type { Tx } from '@rookery/database'
import type { OutboxEvent } from '@rookery/events'
import { notificationWithdrawn } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { leaveLists } from '../lists/index.ts'
import { EndorsementWriter } from './endorsement.store.ts'
import { accountUnfollowed, followRefused, followRequestWithdrawn } from './graph.events.ts'
import { GraphWriter, type Person } from './graph.store.ts'

type Pair = { accountId: string; targetId: string }

const withdrawn = (pair: Pair, reason: string): OutboxEvent =>
  notificationWithdrawn({ recipientId: pair.targetId, reason, actorId: pair.accountId, statusId: '' })

/** Ends a follow, with its list memberships and endorsement, in a transaction that holds the lock on both accounts. Returns the events. */
export const endFollow = async (tx: Tx<StatusesTables>, pair: Pair): Promise<OutboxEvent[]> => {
  if (!(await new GraphWriter(tx).remove('follow', pair))) return []
  await new EndorsementWriter(tx).remove(pair)
  const left = await leaveLists(tx, { ownerId: pair.accountId, memberId: pair.targetId })
  return [accountUnfollowed(pair), withdrawn(pair, 'follow'), ...left]
}

/**
 * Ends a follow or withdraws a request, in a transaction that holds the lock on both accounts. Returns the events; for a request to a remote account
 * also the one that withdraws it at that server.
 */
export const endFollowOrRequest = async (
  tx: Tx<StatusesTables>,
  pair: Pair,
  people: ReadonlyMap<string, Pick<Person, 'isRemote'>>,
): Promise<OutboxEvent[]> => {
  const ended = await endFollow(tx, pair)
  const hadAsked = await new GraphWriter(tx).remove('followRequest', pair)
  if (!hadAsked) return ended
  const isElsewhere = people.get(pair.targetId)?.isRemote && !people.get(pair.accountId)?.isRemote
  return [...ended, withdrawn(pair, 'follow_request'), ...(isElsewhere ? [followRequestWithdrawn(pair)] : [])]
}

/** Ends the follow or follow request of a pair on behalf of either account, as when a whole server is blocked. */
export const cutTies = async (tx: Tx<StatusesTables>, pair: Pair): Promise<OutboxEvent[]> => {
  const people = await new GraphWriter(tx).lock(pair)
  const ended = await endFollowOrRequest(tx, pair, people)
  const isRefused = ended.length > 0 && people.get(pair.accountId)?.isRemote && !people.get(pair.targetId)?.isRemote
  return isRefused ? [...ended, followRefused(pair)] : ended
}
