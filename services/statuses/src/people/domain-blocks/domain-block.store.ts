import { prepared, preparedPage, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'

type DomainOf = { accountId: string; domain: string }

export class DomainBlockWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Adds a domain block; false if there was one already. */
  async add({ accountId, domain, now }: DomainOf & { now: Date }): Promise<boolean> {
    const added = await this.tx
      .insertInto('domainBlock')
      .values({ accountId, domain, createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added) await this.bumpContext(accountId)
    return added !== undefined
  }

  /** Removes a domain block; false if there is none. */
  async remove({ accountId, domain }: DomainOf): Promise<boolean> {
    const query = this.tx.deleteFrom('domainBlock').where('accountId', '=', accountId).where('domain', '=', domain)
    const removed = await query.returning('id').executeTakeFirst()
    if (removed) await this.bumpContext(accountId)
    return removed !== undefined
  }

  private async bumpContext(accountId: string): Promise<void> {
    const change = { contextVersion: sql<number>`context_version + 1` }
    await this.tx.updateTable('account').set(change).where('id', '=', accountId).execute()
  }
}

/** The numbers of an account's follows and followers of a domain. */
export const countTies = prepared(
  'domain-blocks.count',
  ({ accountId, domain }: DomainOf) => sql<{ followingCount: number; followersCount: number }>`
    select
      (select count(*)::int from follow f cross join lateral (select domain from account where id = f.target_id offset 0) a
        where f.account_id = ${accountId} and a.domain = ${domain}) following_count,
      (select count(*)::int from follow f cross join lateral (select domain from account where id = f.account_id offset 0) a
        where f.target_id = ${accountId} and a.domain = ${domain}) followers_count`,
)

/** The accounts of a domain that an account follows: the latest, at most `limit`. */
export const readFollowedOf = prepared(
  'domain-blocks.followed',
  ({ accountId, domain, limit }: DomainOf & { limit: number }) => sql<{ id: string }>`
    select f.target_id id from follow f cross join lateral (select domain from account where id = f.target_id offset 0) a
    where f.account_id = ${accountId} and a.domain = ${domain} order by f.id desc limit ${limit}`,
)

/** A batch of follows and requests between an account and those of a domain that it blocks. */
export const readTiesWith = prepared(
  'domain-blocks.ties',
  ({ accountId, domain, limit }: DomainOf & { limit: number }) => sql<{ accountId: string; targetId: string }>`
    select tie.account_id, tie.target_id from (
      select account_id, target_id, target_id other from follow where account_id = ${accountId}
      union all select account_id, target_id, account_id from follow where target_id = ${accountId}
      union all select account_id, target_id, target_id from follow_request where account_id = ${accountId}
      union all select account_id, target_id, account_id from follow_request where target_id = ${accountId}) tie
    cross join lateral (select domain from account where id = tie.other offset 0) a
    where a.domain = ${domain} and exists (select 1 from domain_block where account_id = ${accountId} and domain = ${domain}) limit ${limit}`,
)

/** A batch of accounts of a domain that an account blocks, after an id, in order; matched without port, as in the index of domains. */
export const readPeopleOf = prepared(
  'domain-blocks.people',
  ({ accountId, domain, after, limit }: DomainOf & { after: string; limit: number }) => sql<{ id: string }>`
    select id from account where reverse(split_part(domain, ':', 1)) = reverse(${domain}::text) and domain is not null and id > ${after}
      and exists (select 1 from domain_block where account_id = ${accountId} and domain_block.domain = ${domain}) order by id limit ${limit}`,
)

/** The domains that an account blocks, latest first; a page by min_id comes oldest first. */
export const readDomainBlocks = preparedPage('domain-blocks.list', (given: { accountId: string }, { order, below, above, limit }) =>
  query
    .selectFrom('domainBlock')
    .select(['domain', 'id'])
    .where('accountId', '=', given.accountId)
    .where('id', '<', below)
    .where('id', '>', above)
    .orderBy('id', order)
    .limit(limit),
)
