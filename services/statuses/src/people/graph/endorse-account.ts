import { type Database, transact } from '@rookery/database'
import { invalid, orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { EndorsementWriter } from './endorsement.store.ts'
import { GraphWriter } from './graph.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock }
type Pair = { accountId: string; targetId: string }

/**
 * Features a followed account on the viewer's profile; idempotent (beyond-the-spec 2.2). It ends with the follow.
 * @throws Failure not_found for an unknown account; invalid for one not followed
 */
export const endorseAccount =
  ({ database, clock }: Deps) =>
  async (pair: Pair): Promise<void> => {
    await transact(database.db, async (tx) => {
      orNotFound((await new GraphWriter(tx).lock(pair)).get(pair.targetId))
      const isFollowed = await new EndorsementWriter(tx).add(pair, new Date(clock.now()))
      if (!isFollowed) throw invalid('You must be already following the person you want to endorse')
    })
  }

/** Removes a featured account, if it is featured. @throws Failure not_found for an unknown account */
export const unendorseAccount =
  ({ database }: Deps) =>
  async (pair: Pair): Promise<void> => {
    await transact(database.db, async (tx) => {
      orNotFound((await new GraphWriter(tx).lock(pair)).get(pair.targetId))
      await new EndorsementWriter(tx).remove(pair)
    })
  }
