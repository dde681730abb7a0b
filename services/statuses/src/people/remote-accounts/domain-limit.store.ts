import { prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { isNotSuspended } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { DomainLimit, LimitedState } from './domain-limit.rules.ts'

/** An account of another server, as far as limits change it. */
type LimitedAccount = LimitedState & { id: string; domain: string }

/** As the index has it: domains below one begin with it. */
const OF = sql.raw("reverse(split_part(domain, ':', 1))")

/** Some of the accounts of a domain and those below it, behind an id, in order. */
export const readOfDomain = prepared(
  'remote-accounts.of-domain',
  ({ domain, after, limit }: { domain: string; after: string; limit: number }) => sql<{ id: string }>`
    select id from (
      select id from account where ${OF} = reverse(${domain}::text) and domain is not null
      union all
      select id from account where ${OF} ~>=~ (reverse(${domain}::text) || '.') and ${OF} ~<~ (reverse(${domain}::text) || '/')
        and domain is not null) of_domain
    where id > ${after} order by id limit ${limit}`,
)

export class DomainLimitWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Keeps a limit in place of the one that is there. */
  async set(domain: string, limit: DomainLimit): Promise<void> {
    const query = this.tx.insertInto('domainLimit').values({ domain, ...limit })
    await query.onConflict((conflict) => conflict.column('domain').doUpdateSet(limit)).execute()
  }

  async remove(domain: string): Promise<void> {
    await this.tx.deleteFrom('domainLimit').where('domain', '=', domain).execute()
  }

  /** Those of these domains that have a limit. */
  async limits(domains: readonly string[]): Promise<Map<string, DomainLimit>> {
    const query = this.tx
      .selectFrom('domainLimit')
      .selectAll()
      .where('domain', '=', sql<string>`any(${[...domains]}::text[])`)
    return new Map((await query.execute()).map(({ domain, ...limit }) => [domain, limit]))
  }

  /** Accounts of other servers, kept from other changes until the transaction ends. */
  async hold(ids: readonly string[]): Promise<LimitedAccount[]> {
    const { rows } = await sql<LimitedAccount>`
      select id, domain, is_silenced "isSilenced", silenced_by_domain "silencedByDomain", is_suspended "isSuspended",
        suspended_by_domain "suspendedByDomain", rejects_media "rejectsMedia"
      from account where id = any(${[...ids]}::bigint[]) and domain is not null order by id for no key update`.execute(this.tx)
    return rows
  }

  async change(id: string, state: LimitedState): Promise<void> {
    const change = { ...state, version: sql<number>`version + 1` }
    await this.tx.updateTable('account').set(change).where('id', '=', id).execute()
  }
}

/** Some of the follows and requests that an account has with others, either way. */
export const readTies = prepared(
  'remote-accounts.ties',
  ({ accountId, limit }: { accountId: string; limit: number }) => sql<{ accountId: string; targetId: string }>`
    select account_id, target_id from (
      (select account_id, target_id from follow where account_id = ${accountId} limit ${limit})
      union all (select account_id, target_id from follow where target_id = ${accountId} limit ${limit})
      union all (select account_id, target_id from (select account_id, target_id from follow_request where account_id = ${accountId} offset 0) r
        limit ${limit})
      union all (select account_id, target_id from (select account_id, target_id from follow_request where target_id = ${accountId} offset 0) r
        limit ${limit})) tie
    limit ${limit}`,
)

/** Of people of this server, how many follows they have with people of a domain and those below it who are not suspended, by direction. */
export const readLosses = prepared(
  'remote-accounts.losses',
  ({ domain }: { domain: string }) => sql<{ accountId: string; followingCount: number; followersCount: number }>`
    with gone as materialized (
      select id from account where ${OF} = reverse(${domain}::text) and domain is not null and ${isNotSuspended()}
      union all
      select id from account where ${OF} ~>=~ (reverse(${domain}::text) || '.') and ${OF} ~<~ (reverse(${domain}::text) || '/')
        and domain is not null and ${isNotSuspended()}),
    lost as (
      select f.account_id, 1 following, 0 followers from gone cross join lateral (
        select account_id from follow where target_id = gone.id and is_local offset 0) f
      union all
      select f.target_id, 0, 1 from gone cross join lateral (
        select target_id from follow where account_id = gone.id offset 0) f
      cross join lateral (select domain from account where id = f.target_id offset 0) a where a.domain is null)
    select account_id, sum(following)::int following_count, sum(followers)::int followers_count from lost group by account_id order by account_id`,
)
