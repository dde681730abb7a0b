import { anyOf, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import type { RepliesPolicy } from '../../database/tables/list.ts'

/** The settings of a list. */
type ListSettings = { title: string; repliesPolicy: RepliesPolicy; isExclusive: boolean }

/** A list with the viewer who requests it; only its owner finds it. */
export type OwnedList = { id: string; viewerId: string }

/** Changes lists. Every change locks the owner first, so that changes by one owner are serialised, with each other and with the end of a follow. */
export class ListWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Locks an account and returns the number of its lists. */
  async lockOwner(ownerId: string): Promise<number> {
    await sql`select 1 from account where id = ${ownerId} for no key update`.execute(this.tx)
    const { rows } = await sql<{ count: number }>`select count(*)::int count from list where account_id = ${ownerId}`.execute(this.tx)
    return rows[0]?.count ?? 0
  }

  async find({ id, viewerId }: OwnedList): Promise<ListSettings | undefined> {
    const query = this.tx.selectFrom('list').select(['title', 'repliesPolicy', 'isExclusive'])
    return query.where('id', '=', id).where('accountId', '=', viewerId).executeTakeFirst()
  }

  /** Returns the new list's id. */
  async add(accountId: string, settings: ListSettings, createdAt: Date): Promise<string> {
    const row = { ...settings, accountId, createdAt }
    return (await this.tx.insertInto('list').values(row).returning('id').executeTakeFirstOrThrow()).id
  }

  async change(id: string, settings: ListSettings): Promise<void> {
    await this.tx.updateTable('list').set(settings).where('id', '=', id).execute()
  }

  /** Removes a list and returns its former members. */
  async remove(id: string): Promise<string[]> {
    const members = await this.tx.deleteFrom('listMember').where('listId', '=', id).returning('accountId').execute()
    await this.tx.deleteFrom('list').where('id', '=', id).execute()
    return members.map((row) => row.accountId)
  }

  /** Those of these accounts that the owner follows. */
  async followed(ownerId: string, accountIds: readonly string[]): Promise<string[]> {
    const query = this.tx.selectFrom('follow').select('targetId').where('accountId', '=', ownerId)
    return (await query.where('targetId', '=', anyOf(accountIds)).execute()).map((row) => row.targetId)
  }

  /** Adds members and returns the new ones. The last given comes first when the list is read. */
  async addMembers(id: string, accountIds: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ accountId: string }>`
      insert into list_member (list_id, account_id)
      select ${id}::bigint, person from unnest(${[...accountIds]}::bigint[]) with ordinality wanted (person, place) order by place
      on conflict do nothing returning account_id`.execute(this.tx)
    return rows.map((row) => row.accountId)
  }

  /** Removes members and returns the removed ones. */
  async removeMembers(id: string, accountIds: readonly string[]): Promise<string[]> {
    const query = this.tx.deleteFrom('listMember').where('listId', '=', id).where('accountId', '=', anyOf(accountIds))
    return (await query.returning('accountId').execute()).map((row) => row.accountId)
  }

  /** Replaces a member on all lists of an owner; returns the lists that the former member left and those that the new one joined. */
  async replaceMember({ ownerId, memberId, byId }: { ownerId: string; memberId: string; byId: string }) {
    const left = await this.removeFromAll(ownerId, memberId)
    const { rows } = await sql<{ listId: string }>`
      insert into list_member (list_id, account_id) select list_id, ${byId}::bigint from unnest(${left}::bigint[]) list_id
      on conflict do nothing returning list_id`.execute(this.tx)
    return { left, joined: rows.map((row) => row.listId) }
  }

  /** Removes a member from all lists of an owner and returns these lists. */
  async removeFromAll(ownerId: string, memberId: string): Promise<string[]> {
    const { rows } = await sql<{ listId: string }>`
      delete from list_member where account_id = ${memberId} and list_id in (select id from list where account_id = ${ownerId})
      returning list_id`.execute(this.tx)
    return rows.map((row) => row.listId)
  }
}
