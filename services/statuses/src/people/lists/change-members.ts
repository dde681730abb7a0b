import { type Database, type Tx, transact, transactOnce } from '@rookery/database'
import type { Outbox, OutboxEvent } from '@rookery/events'
import { Failure, invalid, notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import { listMembersAdded, listMembersRemoved } from './list.events.ts'
import { ListWriter, type OwnedList } from './list.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox }

/** @throws Failure malformed if no account is given (beyond-the-spec 1.4) */
const refuseNone = (accountIds: readonly string[]): void => {
  if (accountIds.length === 0) throw new Failure('malformed', 'param is missing or the value is empty: account_ids')
}

/** Locks a list's owner. @throws Failure not_found if the list is another's */
const open = async (lists: ListWriter, list: OwnedList): Promise<void> => {
  await lists.lockOwner(list.viewerId)
  orNotFound(await lists.find(list), `list ${list.id} is not ${list.viewerId}'s`)
}

/**
 * Adds accounts to a list: all of them, or none (spec, POST /api/v1/lists/:id/accounts).
 * @throws Failure not_found if the list is another's or the owner does not follow each of them; malformed if no account is given; invalid if one is
 * already on the list
 */
export const addMembers =
  ({ database, outbox }: Deps) =>
  async (call: Call, list: OwnedList, accountIds: readonly string[]): Promise<void> => {
    const people = [...new Set(accountIds)]
    await transactOnce(database.db, { call, step: 'add-members' }, async (tx) => {
      const lists = new ListWriter(tx)
      await open(lists, list)
      refuseNone(people)
      if (!people.every(isId)) throw notFound('not every one of account_ids is an id')
      const followed = await lists.followed(list.viewerId, people)
      if (followed.length < people.length) throw notFound(`${list.viewerId} does not follow all of ${people.join(', ')}`)
      const added = await lists.addMembers(list.id, people)
      if (added.length < people.length) throw invalid('Account has already been taken')
      await outbox.append(tx, [listMembersAdded({ listId: list.id, accountId: list.viewerId, memberIds: added })])
    })
  }

/**
 * Removes accounts from a list, ignoring those not on it (spec, Transitions).
 * @throws Failure not_found if the list is another's; malformed if no account is given
 */
export const removeMembers =
  ({ database, outbox }: Deps) =>
  async (list: OwnedList, accountIds: readonly string[]): Promise<void> => {
    await transact(database.db, async (tx) => {
      const lists = new ListWriter(tx)
      await open(lists, list)
      refuseNone(accountIds)
      const memberIds = await lists.removeMembers(list.id, accountIds.filter(isId))
      if (memberIds.length === 0) return
      await outbox.append(tx, [listMembersRemoved({ listId: list.id, accountId: list.viewerId, memberIds })])
    })
  }

/**
 * Removes a member from the lists of an owner who no longer follows it, in the transaction that ends the follow and holds the lock on both
 * (beyond-the-spec 1.12). Returns the events.
 */
export const leaveLists = async (
  tx: Tx<StatusesTables>,
  { ownerId, memberId }: { ownerId: string; memberId: string },
): Promise<OutboxEvent[]> => {
  const listIds = await new ListWriter(tx).removeFromAll(ownerId, memberId)
  return listIds.map((listId) => listMembersRemoved({ listId, accountId: ownerId, memberIds: [memberId] }))
}

/** Replaces a member on the lists of an owner, within a transaction that holds the lock on all three. Returns the events. */
export const replaceOnLists = async (
  tx: Tx<StatusesTables>,
  given: { ownerId: string; memberId: string; byId: string },
): Promise<OutboxEvent[]> => {
  const { left, joined } = await new ListWriter(tx).replaceMember(given)
  const members = (listId: string, memberId: string) => ({ listId, accountId: given.ownerId, memberIds: [memberId] })
  return [
    ...left.map((listId) => listMembersRemoved(members(listId, given.memberId))),
    ...joined.map((listId) => listMembersAdded(members(listId, given.byId))),
  ]
}
