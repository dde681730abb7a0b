import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notAllowed, orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { endFollowOrRequest } from './end-follow.ts'
import { accountBlocked, accountUnblocked } from './graph.events.ts'
import { GraphWriter } from './graph.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }
type Pair = { accountId: string; targetId: string }

/**
 * Blocks an account: ends follows and requests both ways; feeds and notifications are cleared by consumers (beyond-the-spec 1.15).
 * @throws Failure not_found, forbidden for oneself
 */
export const blockAccount =
  ({ database, outbox, clock }: Deps) =>
  async (pair: Pair): Promise<void> => {
    if (pair.accountId === pair.targetId) throw notAllowed('no one blocks themselves')
    await transact(database.db, async (tx) => {
      const graph = new GraphWriter(tx)
      const people = await graph.lock(pair)
      orNotFound(people.get(pair.targetId))
      if (!(await graph.block(pair, new Date(clock.now())))) return
      const ended = [
        ...(await endFollowOrRequest(tx, pair, people)),
        ...(await endFollowOrRequest(tx, { accountId: pair.targetId, targetId: pair.accountId }, people)),
      ]
      await outbox.append(tx, [...ended, accountBlocked(pair)])
    })
  }

/** Ends a block, if there is one. @throws Failure not_found for an unknown account */
export const unblockAccount =
  ({ database, outbox }: Deps) =>
  async (pair: Pair): Promise<void> => {
    await transact(database.db, async (tx) => {
      const graph = new GraphWriter(tx)
      orNotFound((await graph.lock(pair)).get(pair.targetId))
      if (await graph.unblock(pair)) await outbox.append(tx, [accountUnblocked(pair)])
    })
  }
