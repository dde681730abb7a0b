import { type Database, type Step, transactOnce } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import { addressRecipients, notificationWithdrawn } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { accountFollowed, followRefused } from './graph.events.ts'
import { GraphWriter } from './graph.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }
/** `call` is absent in a job. */
type Answer = { ownerId: string; requesterId: string; call?: Step['call'] }

/**
 * Accepts a follow request and notifies the owner of the new follower (spec, authorize; beyond-the-spec 1.14).
 * @throws Failure not_found if no request is pending
 */
export const authorizeFollowRequest =
  ({ database, outbox, clock }: Deps) =>
  async ({ ownerId, requesterId, call = {} }: Answer): Promise<void> => {
    const pair = { accountId: requesterId, targetId: ownerId }
    await transactOnce(database.db, { call, step: 'authorize' }, async (tx) => {
      const graph = new GraphWriter(tx)
      await graph.lock(pair)
      const now = new Date(clock.now())
      if (!(await graph.accept(pair, now))) throw notFound(`no request of ${requesterId} to ${ownerId}`)
      const address = { recipientId: ownerId, actorId: requesterId, reason: 'follow', statusId: '' }
      const asked = notificationWithdrawn({ recipientId: ownerId, reason: 'follow_request', actorId: requesterId, statusId: '' })
      await outbox.append(tx, [accountFollowed(pair), asked, ...(await addressRecipients(tx, [address], now))])
    })
  }

/** Rejects a follow request (spec, reject). @throws Failure not_found if no request is pending */
export const rejectFollowRequest =
  ({ database, outbox }: Deps) =>
  async ({ ownerId, requesterId, call = {} }: Answer): Promise<void> => {
    const pair = { accountId: requesterId, targetId: ownerId }
    await transactOnce(database.db, { call, step: 'reject' }, async (tx) => {
      const graph = new GraphWriter(tx)
      const people = await graph.lock(pair)
      if (!(await graph.remove('followRequest', pair))) throw notFound(`no request of ${requesterId} to ${ownerId}`)
      const asked = notificationWithdrawn({ recipientId: ownerId, reason: 'follow_request', actorId: requesterId, statusId: '' })
      const isRefused = people.get(requesterId)?.isRemote && !people.get(ownerId)?.isRemote
      await outbox.append(tx, [asked, ...(isRefused ? [followRefused(pair)] : [])])
    })
  }
