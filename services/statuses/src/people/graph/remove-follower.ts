import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import { endFollow } from './end-follow.ts'
import { GraphWriter } from './graph.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox }

/** Has someone follow one no more, without a block; also when they do not (beyond-the-spec 2.2). @throws Failure not_found for no one */
export const removeFollower =
  ({ database, outbox }: Deps) =>
  async ({ accountId, targetId }: { accountId: string; targetId: string }): Promise<void> => {
    const theirs = { accountId: targetId, targetId: accountId }
    await transact(database.db, async (tx) => {
      orNotFound((await new GraphWriter(tx).lock(theirs)).get(targetId))
      await outbox.append(tx, await endFollow(tx, theirs))
    })
  }
