import { prepared, preparedPage } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { query } from '../../database/query.ts'

type DomainOf = { accountId: string; domain: string }

/** Blocks a domain for an account; again changes nothing. */
export const addDomainBlock = prepared('domain-blocks.add', ({ accountId, domain, now }: DomainOf & { now: Date }) =>
  query
    .insertInto('domainBlock')
    .values({ accountId, domain, createdAt: now })
    .onConflict((conflict) => conflict.doNothing()),
)

/** Ends that; also where there is nothing to end. */
export const removeDomainBlock = prepared('domain-blocks.remove', ({ accountId, domain }: DomainOf) =>
  query.deleteFrom('domainBlock').where('accountId', '=', accountId).where('domain', '=', domain),
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

const followsOf = ({ accountId, domain }: DomainOf): RawBuilder<unknown> => sql`
  select f.account_id, f.target_id from follow f join account a on a.id = f.target_id where f.account_id = ${accountId} and a.domain = ${domain}
  union all
  select f.account_id, f.target_id from follow f join account a on a.id = f.account_id where f.target_id = ${accountId} and a.domain = ${domain}`

/** Some of the follows between an account and the people of a domain, in either direction. */
export const readFollowsWith = prepared(
  'domain-blocks.follows',
  (given: DomainOf & { limit: number }) => sql<{ accountId: string; targetId: string }>`${followsOf(given)} limit ${given.limit}`,
)

/** How many there are, by direction. */
export const countFollowsWith = prepared(
  'domain-blocks.count-follows',
  (given: DomainOf) => sql<{ followingCount: number; followersCount: number }>`
    select (count(*) filter (where account_id = ${given.accountId}))::int following_count,
      (count(*) filter (where target_id = ${given.accountId}))::int followers_count
    from (${followsOf(given)}) f`,
)
