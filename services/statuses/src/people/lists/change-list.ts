import type { ChangeListRequest, CreateListRequest, List } from '@rookery/contracts/statuses'
import { type Database, transact, transactOnce } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { listChanged, listDeleted } from './list.events.ts'
import { refuseFurtherLists, repliesPolicyOf, titleOf } from './list.rules.ts'
import { ListWriter, type OwnedList } from './list.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }

/** Creates a list (spec, POST /api/v1/lists; beyond-the-spec 1.2). @throws Failure invalid */
export const createList =
  ({ database, clock }: Deps) =>
  async (call: Call, { viewerId, isExclusive, ...typed }: CreateListRequest): Promise<List> => {
    const settings = { title: titleOf(typed.title), repliesPolicy: repliesPolicyOf(typed.repliesPolicy), isExclusive }
    const id = await transactOnce(database.db, { call, step: 'create-list' }, async (tx) => {
      const lists = new ListWriter(tx)
      refuseFurtherLists(await lists.lockOwner(viewerId))
      return lists.add(viewerId, settings, new Date(clock.now()))
    })
    return { id, ...settings }
  }

/**
 * Changes a list. The contract requires the title each time, resets an omitted policy to its default and keeps an omitted `exclusive` (spec, PUT /api/v1/lists/:id). @throws Failure not_found, invalid
 */
export const changeList =
  ({ database, outbox }: Deps) =>
  ({ id, viewerId, ...typed }: ChangeListRequest): Promise<List> =>
    transact(database.db, async (tx) => {
      const lists = new ListWriter(tx)
      await lists.lockOwner(viewerId)
      const before = orNotFound(await lists.find({ id, viewerId }), `list ${id} is not ${viewerId}'s`)
      const isExclusive = typed.isExclusive ?? before.isExclusive
      const settings = { title: titleOf(typed.title), repliesPolicy: repliesPolicyOf(typed.repliesPolicy), isExclusive }
      await lists.change(id, settings)
      const showsOthers = settings.repliesPolicy !== before.repliesPolicy || isExclusive !== before.isExclusive
      if (showsOthers) await outbox.append(tx, [listChanged({ listId: id, accountId: viewerId })])
      return { id, ...settings }
    })

/** Deletes a list with its memberships. @throws Failure not_found */
export const deleteList =
  ({ database, outbox }: Deps) =>
  (call: Call, { id, viewerId }: OwnedList): Promise<void> =>
    transactOnce(database.db, { call, step: 'delete-list' }, async (tx) => {
      const lists = new ListWriter(tx)
      await lists.lockOwner(viewerId)
      const { isExclusive } = orNotFound(await lists.find({ id, viewerId }), `list ${id} is not ${viewerId}'s`)
      const memberIds = await lists.remove(id)
      await outbox.append(tx, [listDeleted({ listId: id, accountId: viewerId, memberIds, wasExclusive: isExclusive })])
    })
