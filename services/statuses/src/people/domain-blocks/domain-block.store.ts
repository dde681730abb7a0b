import { prepared, preparedPage } from '@rookery/database'
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
