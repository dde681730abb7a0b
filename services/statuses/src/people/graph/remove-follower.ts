import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import { endFollow } from './end-follow.ts'
import { followRefused } from './graph.events.ts'
import { GraphWriter } from './graph.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox }

/** Removes a follower without a block; no error if they do not follow (beyond-the-spec 2.2). @throws Failure not_found for an unknown account */
export const removeFollower =
  ({ database, outbox }: Deps) =>
  async ({ accountId, targetId }: { accountId: string; targetId: string }): Promise<void> => {
    const theirs = { accountId: targetId, targetId: accountId }
    await transact(database.db, async (tx) => {
      const people = await new GraphWriter(tx).lock(theirs)
      const follower = orNotFound(people.get(targetId))
      const ended = await endFollow(tx, theirs)
      const isRefused = ended.length > 0 && follower.isRemote && !people.get(accountId)?.isRemote
      await outbox.append(tx, isRefused ? [...ended, followRefused(theirs)] : ended)
    })
  }
