import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox, OutboxEvent } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { accountFollowed, endFollow, type FollowOptions, followRequested, GraphWriter } from '../graph/index.ts'
import { replaceOnLists } from '../lists/index.ts'
import { MoveWriter } from './move.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }
type Step = { followerId: string; fromId: string; toId: string }

type Begun = { after: { accountId: string; targetId: string }; options: FollowOptions; now: Date }

/** Has a follower follow the new account; if that is remote, by a request, unless there is one already. */
const followAfter = async (tx: Tx<StatusesTables>, { after, options, now }: Begun): Promise<OutboxEvent[]> => {
  const graph = new GraphWriter(tx)
  if (await graph.adjust('follow', after, {})) return [accountFollowed(after)]
  if ((await graph.lock(after)).get(after.targetId)?.isRemote) {
    if (await graph.adjust('followRequest', after, {})) return []
    await graph.add('followRequest', after, options, now)
    return [followRequested(after)]
  }
  if (!(await graph.accept(after, now))) await graph.add('follow', after, options, now)
  return [accountFollowed(after)]
}

/**
 * Moves one follower of a moved account to the new account, with the same options and lists, as peers do: even if the new account is locked, since it
 * is the same person. A follower with a block either way with the new account stays.
 */
export const moveFollower =
  ({ database, outbox, clock }: Deps) =>
  ({ followerId, fromId, toId }: Step): Promise<void> =>
    transact(database.db, async (tx) => {
      const moves = new MoveWriter(tx)
      const graph = new GraphWriter(tx)
      await moves.lock([followerId, fromId, toId])
      const [before, after] = [
        { accountId: followerId, targetId: fromId },
        { accountId: followerId, targetId: toId },
      ]
      if (followerId === toId || (await moves.destinationOf(fromId)) !== toId || (await graph.hasBlock(after))) return
      const options = await graph.options(before)
      if (!options) return
      const replaced = await replaceOnLists(tx, { ownerId: followerId, memberId: fromId, byId: toId })
      const ended = await endFollow(tx, before)
      const now = new Date(clock.now())
      const begun = await followAfter(tx, { after, options, now })
      await outbox.append(tx, [...begun, ...replaced, ...ended])
    })
