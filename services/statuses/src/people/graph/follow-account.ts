import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, notAllowed, notFound, orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import { addressRecipients } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { endFollowOrRequest } from './end-follow.ts'
import { accountFollowed, followChanged, followRequested } from './graph.events.ts'
import { followLanguages, maxFollows } from './graph.rules.ts'
import { type FollowOptions, GraphWriter, type Person } from './graph.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }
type Pair = { accountId: string; targetId: string }
type Beginning = { pair: Pair; options: FollowOptions; target: Person; follower: Person }

/** @throws Failure invalid at the limit of follows of a local account */
const refuseMore = ({ isRemote, followersCount, followingCount }: Person) => {
  const max = maxFollows(followersCount)
  if (!isRemote && followingCount >= max) throw invalid(`You cannot follow more than ${max} people`)
}

/** Begins a follow, or requests it if the target is locked or remote, or the follower silenced. @throws Failure as `followAccount` */
const beginFollow = async ({ outbox, clock }: Deps, tx: Tx<StatusesTables>, { pair, options, target, follower }: Beginning) => {
  if (target.movedToId) throw notAllowed(`${target.id} has moved`)
  refuseMore(follower)
  const now = new Date(clock.now())
  const mustAsk = target.isRemote || target.locked || follower.isSilenced
  await new GraphWriter(tx).add(mustAsk ? 'followRequest' : 'follow', pair, options, now)
  const address = { recipientId: pair.targetId, actorId: pair.accountId, reason: mustAsk ? 'follow_request' : 'follow', statusId: '' }
  const asked = target.isRemote && !follower.isRemote ? [followRequested(pair)] : []
  await outbox.append(tx, [...(mustAsk ? asked : [accountFollowed(pair)]), ...(await addressRecipients(tx, [address], now))])
}

/** Changes the existing follow or request; returns whether there was one. Unchanged options publish no event, which would rebuild a home. */
const adjustFollow = async ({ outbox }: Deps, tx: Tx<StatusesTables>, { pair, options }: Pick<Beginning, 'pair' | 'options'>) => {
  const graph = new GraphWriter(tx)
  const followed = await graph.adjust('follow', pair, options)
  if (followed?.isChanged) await outbox.append(tx, [followChanged(pair)])
  return followed !== undefined || (await graph.adjust('followRequest', pair, options)) !== undefined
}

/**
 * Follows an account, or requests to; repeating it only changes the options (beyond-the-spec 1.15, 2.2). The follows of remote accounts are limited
 * by their own server.
 * @throws Failure not_found, also for suspended accounts; forbidden for oneself, across a block or for a moved account; invalid over the limit or for
 * an invalid language
 */
export const followAccount =
  (deps: Deps) =>
  async (pair: Pair, wanted: FollowOptions): Promise<void> => {
    if (pair.accountId === pair.targetId) throw notAllowed('no one follows themselves')
    const options = { ...wanted, languages: wanted.languages && followLanguages(wanted.languages) }
    await transact(deps.database.db, async (tx) => {
      const graph = new GraphWriter(tx)
      const people = await graph.lock(pair)
      const target = orNotFound(people.get(pair.targetId))
      const follower = orNotFound(people.get(pair.accountId))
      if (target.isSuspended) throw notFound(`${target.id} is suspended`)
      if (await graph.hasBlock(pair)) throw notAllowed('a block stands between the two')
      if (await adjustFollow(deps, tx, { pair, options })) return
      await beginFollow(deps, tx, { pair, options, target, follower })
    })
  }

/** Ends a follow or withdraws a request, if there is one. @throws Failure not_found for an unknown account */
export const unfollowAccount =
  ({ database, outbox }: Deps) =>
  async (pair: Pair): Promise<void> => {
    await transact(database.db, async (tx) => {
      const graph = new GraphWriter(tx)
      const people = await graph.lock(pair)
      orNotFound(people.get(pair.targetId))
      await outbox.append(tx, await endFollowOrRequest(tx, pair, people))
    })
  }
