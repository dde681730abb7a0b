import { anyOf, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import type { RepliesPolicy } from '../../database/tables/list.ts'

/** What an owner says of a list. */
export type ListSettings = { title: string; repliesPolicy: RepliesPolicy; isExclusive: boolean }

/** A list by its owner: another's is none. */
export type OwnedList = { id: string; ownerId: string }

/** Changes lists. Whoever changes any locks its owner first, so that acts of one owner wait for each other and for the end of a follow. */
export class ListWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Locks somebody and answers with how many lists they keep. */
  async lockOwner(ownerId: string): Promise<number> {
    await sql`select 1 from account where id = ${ownerId} for no key update`.execute(this.tx)
    const { rows } = await sql<{ count: number }>`select count(*)::int count from list where account_id = ${ownerId}`.execute(this.tx)
    return rows[0]?.count ?? 0
  }

  async find({ id, ownerId }: OwnedList): Promise<ListSettings | undefined> {
    const query = this.tx.selectFrom('list').select(['title', 'repliesPolicy', 'isExclusive'])
    const row = await query.where('id', '=', id).where('accountId', '=', ownerId).executeTakeFirst()
    return row && { title: row.title, repliesPolicy: row.repliesPolicy, isExclusive: row.isExclusive }
  }

  /** Answers with the new list's id. */
  async add(ownerId: string, { title, repliesPolicy, isExclusive }: ListSettings, now: Date): Promise<string> {
    const row = { accountId: ownerId, title, repliesPolicy, isExclusive, createdAt: now }
    return (await this.tx.insertInto('list').values(row).returning('id').executeTakeFirstOrThrow()).id
  }

  async change(id: string, { title, repliesPolicy, isExclusive }: ListSettings): Promise<void> {
    const columns = { title, repliesPolicy, isExclusive }
    await this.tx.updateTable('list').set(columns).where('id', '=', id).execute()
  }

  /** Removes a list and answers with who was on it. */
  async remove(id: string): Promise<string[]> {
    const members = await this.tx.deleteFrom('listMember').where('listId', '=', id).returning('accountId').execute()
    await this.tx.deleteFrom('list').where('id', '=', id).execute()
    return members.map((row) => row.accountId)
  }

  /** Those of these people whom the owner follows. */
  async followed(ownerId: string, accountIds: readonly string[]): Promise<string[]> {
    const query = this.tx.selectFrom('follow').select('targetId').where('accountId', '=', ownerId)
    return (await query.where('targetId', '=', anyOf(accountIds)).execute()).map((row) => row.targetId)
  }

  /** Adds people and answers with those who were not on the list. The last named comes first when the list is read. */
  async addMembers(id: string, accountIds: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ accountId: string }>`
      insert into list_member (list_id, account_id)
      select ${id}::bigint, person from unnest(${[...accountIds]}::bigint[]) with ordinality wanted (person, place) order by place
      on conflict do nothing returning account_id`.execute(this.tx)
    return rows.map((row) => row.accountId)
  }

  /** Takes people off and answers with those who were on the list. */
  async removeMembers(id: string, accountIds: readonly string[]): Promise<string[]> {
    const query = this.tx.deleteFrom('listMember').where('listId', '=', id).where('accountId', '=', anyOf(accountIds))
    return (await query.returning('accountId').execute()).map((row) => row.accountId)
  }

  /** Puts somebody in another's place on all lists of an owner; answers with the lists, and with those the other was not on already. */
  async replaceMember({ ownerId, memberId, byId }: { ownerId: string; memberId: string; byId: string }) {
    const left = await this.removeFromAll(ownerId, memberId)
    const { rows } = await sql<{ listId: string }>`
      insert into list_member (list_id, account_id) select list_id, ${byId}::bigint from unnest(${left}::bigint[]) list_id
      on conflict do nothing returning list_id`.execute(this.tx)
    return { left, joined: rows.map((row) => row.listId) }
  }

  /** Takes somebody off all lists of an owner and answers with these. */
  async removeFromAll(ownerId: string, memberId: string): Promise<string[]> {
    const { rows } = await sql<{ listId: string }>`
      delete from list_member where account_id = ${memberId} and list_id in (select id from list where account_id = ${ownerId})
      returning list_id`.execute(this.tx)
    return rows.map((row) => row.listId)
  }
}
