import { prepared, type Tx } from '@rookery/database'
import { type SqlBool, sql } from 'kysely'
import { isNotSuspended } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { DomainLimit, LimitedState } from './domain-limit.rules.ts'

/** A remote account, with the columns that limits change. */
type LimitedAccount = LimitedState & { id: string; domain: string }

/** The reversed domain, as in the index: subdomains share a prefix. */
const OF = sql.raw("reverse(split_part(domain, ':', 1))")

/** A batch of accounts of a domain and its subdomains, after an id, in order. */
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

  /** Stores or replaces a limit. */
  async set(domain: string, limit: DomainLimit): Promise<void> {
    const query = this.tx.insertInto('domainLimit').values({ domain, ...limit })
    await query.onConflict((conflict) => conflict.column('domain').doUpdateSet(limit)).execute()
  }

  async remove(domain: string): Promise<void> {
    await this.tx.deleteFrom('domainLimit').where('domain', '=', domain).execute()
  }

  /** The limits of those of these domains that have one. */
  async limits(domains: readonly string[]): Promise<Map<string, DomainLimit>> {
    const query = this.tx
      .selectFrom('domainLimit')
      .selectAll()
      .where('domain', '=', sql<string>`any(${[...domains]}::text[])`)
    return new Map((await query.execute()).map(({ domain, ...limit }) => [domain, limit]))
  }

  /** The subdomains of a domain about which staff decided. */
  async decidedBelow(domain: string): Promise<string[]> {
    const query = this.tx
      .selectFrom('domainLimit')
      .select('domain')
      .where(sql<SqlBool>`starts_with(reverse(domain), reverse(${domain}::text) || '.')`)
    return (await query.execute()).map((row) => row.domain)
  }

  /** Locks remote accounts until the transaction ends. */
  async hold(ids: readonly string[]): Promise<LimitedAccount[]> {
    // Not `domain is not null`: the planner would then look for each id in the index of domains, below every domain.
    const { rows } = await sql<LimitedAccount>`
      select id, domain, is_silenced "isSilenced", silenced_by_domain "silencedByDomain", is_suspended "isSuspended",
        suspended_by_domain "suspendedByDomain", rejects_media "rejectsMedia"
      from account where id = any(${[...ids]}::bigint[]) and coalesce(domain, '') <> '' order by id for no key update`.execute(this.tx)
    return rows
  }

  async change(id: string, state: LimitedState): Promise<void> {
    const change = { ...state, version: sql<number>`version + 1` }
    await this.tx.updateTable('account').set(change).where('id', '=', id).execute()
  }
}

/** A batch of an account's follows and requests, either way. */
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

/** Whether an account is of one of these domains, or of a subdomain. */
const isSpared = (spared: readonly string[]) =>
  sql<SqlBool>`exists (select from unnest(${spared}::text[]) s (name) where ${OF} = reverse(name) or starts_with(${OF}, reverse(name) || '.'))`

/**
 * The numbers of follows of local accounts with unsuspended accounts of a domain and its subdomains, by direction; not of subdomains that are
 * spared.
 */
export const readLosses = prepared(
  'remote-accounts.losses',
  ({ domain, spared }: { domain: string; spared: readonly string[] }) => sql<{
    accountId: string
    followingCount: number
    followersCount: number
  }>`
    with gone as materialized (
      select id from account where ${OF} = reverse(${domain}::text) and domain is not null and ${isNotSuspended()}
      union all
      select id from account where ${OF} ~>=~ (reverse(${domain}::text) || '.') and ${OF} ~<~ (reverse(${domain}::text) || '/')
        and domain is not null and ${isNotSuspended()} and not ${isSpared(spared)}),
    lost as (
      select f.account_id, 1 following, 0 followers from gone cross join lateral (
        select account_id from follow where target_id = gone.id and is_local offset 0) f
      union all
      select f.target_id, 0, 1 from gone cross join lateral (
        select target_id from follow where account_id = gone.id offset 0) f
      cross join lateral (select domain from account where id = f.target_id offset 0) a where a.domain is null)
    select account_id, sum(following)::int following_count, sum(followers)::int followers_count from lost group by account_id order by account_id`,
)
