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

/** @throws Failure invalid past the most that a person of this server may follow */
const refuseMore = ({ isRemote, followersCount, followingCount }: Person) => {
  const max = maxFollows(followersCount)
  if (!isRemote && followingCount >= max) throw invalid(`You cannot follow more than ${max} people`)
}

/** Begins a follow, or asks for it when they are locked or of another server, or the follower is silenced. @throws Failure as `followAccount` */
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

/** Changes the follow or the request there is; answers whether there was one. What stays as it is has no event: it would rebuild a home. */
const adjustFollow = async ({ outbox }: Deps, tx: Tx<StatusesTables>, { pair, options }: Pick<Beginning, 'pair' | 'options'>) => {
  const graph = new GraphWriter(tx)
  const followed = await graph.adjust('follow', pair, options)
  if (followed?.isChanged) await outbox.append(tx, [followChanged(pair)])
  return followed !== undefined || (await graph.adjust('followRequest', pair, options)) !== undefined
}

/**
 * Follows someone, or asks to; again changes the options only (beyond-the-spec 1.15, 2.2). How many a person of another server follows is
 * for that server to limit.
 * @throws Failure not_found, also for whom moderators suspended, forbidden for oneself, across a block or for who moved, invalid past the most
 * that may be followed or for what is no language
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

/** Ends a follow or withdraws a request; also when there is neither. @throws Failure not_found for no one */
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
