import type { Database, Tx } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { carryRestrictions } from '../graph/index.ts'
import { MoveReader, readMovingFollowers } from './move.store.ts'
import { moveFollower } from './move-follower.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }

const MOVE_FOLLOWERS = 'move-followers'
const AT_A_TIME = 100

/** Adds the job that has all followers of a moved account follow the new one, with the transaction. */
export const requestFollowers = (tx: Tx<StatusesTables>, accountId: string): Promise<void> =>
  addJob(tx, 'statuses', MOVE_FOLLOWERS, { accountId }, { key: `${MOVE_FOLLOWERS}:${accountId}` })

/**
 * Moves followers one by one; moved ones no longer follow, so it can restart after a kill. Then those who block or mute the account do so to the new
 * one.
 */
export const moveFollowersJob = (deps: Deps): Job => {
  const move = moveFollower(deps)
  const carry = carryRestrictions(deps)
  const moves = new MoveReader(deps.database.db)
  const moveAll = async ({ accountId, toId }: { accountId: string; toId: string }, signal?: AbortSignal): Promise<void> => {
    for (let after = '0'; ; ) {
      const followers = await readMovingFollowers(deps.database, { accountId, after, limit: AT_A_TIME })
      for (const { followId, followerId } of followers) {
        signal?.throwIfAborted()
        await move({ followerId, fromId: accountId, toId })
        after = followId
      }
      if (followers.length < AT_A_TIME) return
    }
  }
  return job<{ accountId: string }>({
    name: MOVE_FOLLOWERS,
    lane: 'bulk',
    run: async ({ accountId }, signal) => {
      // The new account may move on meanwhile.
      let toId: string | undefined
      for (let next = await moves.destinationOf(accountId); next && next !== toId; next = await moves.destinationOf(accountId)) {
        toId = next
        await moveAll({ accountId, toId }, signal)
        await carry({ fromId: accountId, toId }, signal)
      }
    },
  })
}
