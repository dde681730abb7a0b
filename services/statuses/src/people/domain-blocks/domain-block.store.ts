import { type Database, inBothOrders, keyset, type Page, statement } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'

/** Has $1 shut the server $2 out since $3; again changes nothing. */
export const addDomainBlock = statement(
  'domain-blocks.add',
  'insert into domain_block (account_id, domain, created_at) values ($1, $2, $3) on conflict do nothing',
)

/** Ends that; also where there is nothing to end. */
export const removeDomainBlock = statement('domain-blocks.remove', 'delete from domain_block where account_id = $1 and domain = $2')

/** $1 whose, $2 below, $3 above, $4 limit. */
const listed = (order: 'asc' | 'desc') =>
  statement<[domain: string, id: string]>(
    `domain-blocks.list-${order}`,
    `select domain, id from domain_block where account_id = $1 and id < $2 and id > $3 order by id ${order} limit $4`,
  )

const LISTED = inBothOrders(listed)

/** The servers somebody shut out, latest first; a page by min_id comes oldest first. */
export const readDomainBlocks = async (
  database: Database<StatusesTables>,
  accountId: string,
  page: Page,
): Promise<{ domain: string; id: string }[]> => {
  const { order, bounds } = keyset(page)
  return (await LISTED[order](database, [accountId, ...bounds])).map(([domain, id]) => ({ domain, id }))
}
