import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notAllowed, orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { accountMuted, accountUnmuted } from './graph.events.ts'
import { GraphWriter } from './graph.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }
type Pair = { accountId: string; targetId: string }

/**
 * Mutes an account for some seconds, or (0) indefinitely; repeating it changes the mute (beyond-the-spec 1.15).
 * @throws Failure not_found, forbidden for oneself
 */
export const muteAccount =
  ({ database, outbox, clock }: Deps) =>
  async (pair: Pair, { notifications, durationSeconds }: { notifications: boolean; durationSeconds: number }): Promise<void> => {
    if (pair.accountId === pair.targetId) throw notAllowed('no one mutes themselves')
    await transact(database.db, async (tx) => {
      const graph = new GraphWriter(tx)
      orNotFound((await graph.lock(pair)).get(pair.targetId))
      const now = clock.now()
      const expiresAt = durationSeconds > 0 ? new Date(now + durationSeconds * 1000) : null
      await graph.mute(pair, { notifications, expiresAt, now: new Date(now) })
      await outbox.append(tx, [accountMuted({ ...pair, notifications })])
    })
  }

/** Ends a mute, if there is one. @throws Failure not_found for an unknown account */
export const unmuteAccount =
  ({ database, outbox }: Deps) =>
  async (pair: Pair): Promise<void> => {
    await transact(database.db, async (tx) => {
      const graph = new GraphWriter(tx)
      orNotFound((await graph.lock(pair)).get(pair.targetId))
      if (await graph.unmute(pair)) await outbox.append(tx, [accountUnmuted(pair)])
    })
  }
