import { type Db, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { isNotSuspended, isThere } from '../../audience/index.ts'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Destination } from './move.rules.ts'

/** The local followers of a moved account, after a follow: none once the move is undone. */
export const readMovingFollowers = prepared(
  'moves.followers',
  ({ accountId, after, limit }: { accountId: string; after: string; limit: number }) =>
    query
      .selectFrom('follow as f')
      .innerJoin('account as a', 'a.id', 'f.targetId')
      .select(['f.id as followId', 'f.accountId as followerId'])
      .where('f.targetId', '=', accountId)
      .where('f.id', '>', after)
      .where('a.movedToId', 'is not', null)
      .where('a.closedAt', 'is', null)
      .where(sql<boolean>`exists (select 1 from account where id = f.account_id and domain is null)`)
      .orderBy('f.id')
      .limit(limit),
)

/** The handle of an account, by the alias of its row. */
const acctOf = (account: string) => sql<string>`concat_ws('@', ${sql.ref(`${account}.username`)}, ${sql.ref(`${account}.domain`)})`

/** Maximum moves, one after the other, that followers are taken along over. */
const MAX_CHAIN = 10

export class MoveReader {
  protected readonly db: Db<StatusesTables>

  constructor(db: Db<StatusesTables>) {
    this.db = db
  }

  /** The handle of the account that an account moved to, with a domain if remote. */
  async movedTo(accountId: string): Promise<string | undefined> {
    const query = this.db.selectFrom('account as a').innerJoin('account as now', 'now.id', 'a.movedToId')
    return (await query.select(acctOf('now').as('acct')).where('a.id', '=', accountId).executeTakeFirst())?.acct
  }

  /** Where an account is now: the last of those that it and the others moved to. Undefined if it did not move, in a circle, or over too many. */
  async destinationOf(accountId: string): Promise<string | undefined> {
    const { rows } = await sql<{ id: string }>`
      with recursive moved as (
        select id, moved_to_id, 0 moves from account where id = ${accountId}
        union all
        select a.id, a.moved_to_id, moves + 1 from moved join account a on a.id = moved.moved_to_id and a.closed_at is null
        where moves < ${sql.lit(MAX_CHAIN)})
      select id from moved where moved_to_id is null and id <> ${accountId}`.execute(this.db)
    return rows[0]?.id
  }

  /** The aliases of an account, by handle. */
  async aliases(accountId: string): Promise<{ accountId: string; username: string }[]> {
    const query = this.db.selectFrom('accountAlias as n').innerJoin('account as a', 'a.id', 'n.aliasId')
    const named = query
      .select(['a.id as accountId', acctOf('a').as('username')])
      .where('n.accountId', '=', accountId)
      .where('a.closedAt', 'is', null)
    return named.orderBy('a.username').execute()
  }
}

export class MoveWriter extends MoveReader {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    super(tx)
    this.tx = tx
  }

  /** Locks accounts, lower id first as every writer does. */
  async lock(ids: readonly string[]): Promise<void> {
    await sql`select 1 from account where id = any(${[...ids]}::bigint[]) order by id for no key update`.execute(this.tx)
  }

  /** An account as a possible destination, in its current state. */
  async destination(id: string, fromId: string): Promise<Destination | undefined> {
    const { rows } = await sql<Destination>`
      select id, moved_to_id "movedToId", exists (select 1 from account_alias where account_id = ${id} and alias_id = ${fromId}) "isAlias"
      from account where id = ${id} and ${isThere()} and ${isNotSuspended()}`.execute(this.tx)
    return rows[0]
  }

  /** Stores or clears the destination, and bumps the version; undefined if there is no such account. */
  async setDestination(accountId: string, movedToId: string | null): Promise<{ isRemote: boolean } | undefined> {
    const change = { movedToId, version: sql<number>`version + 1` }
    const query = this.tx.updateTable('account').set(change).where('id', '=', accountId).where('closedAt', 'is', null)
    const row = await query.returning('domain').executeTakeFirst()
    return row && { isRemote: row.domain !== null }
  }

  async countAliases(accountId: string): Promise<number> {
    const query = this.tx.selectFrom('accountAlias').select((count) => count.fn.countAll<string>().as('count'))
    return Number((await query.where('accountId', '=', accountId).executeTakeFirst())?.count ?? 0)
  }

  /** Adds an alias; returns whether it is new. */
  async addAlias(accountId: string, aliasId: string): Promise<boolean> {
    const query = this.tx.insertInto('accountAlias').values({ accountId, aliasId })
    const row = await query
      .onConflict((conflict) => conflict.doNothing())
      .returning('aliasId')
      .executeTakeFirst()
    return row !== undefined
  }

  /** Removes an alias; returns whether there was one. */
  async removeAlias(accountId: string, aliasId: string): Promise<boolean> {
    const query = this.tx.deleteFrom('accountAlias').where('accountId', '=', accountId).where('aliasId', '=', aliasId)
    return (await query.returning('aliasId').executeTakeFirst()) !== undefined
  }
}
