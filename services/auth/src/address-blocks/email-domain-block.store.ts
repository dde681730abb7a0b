import { prepared, preparedPage, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { query } from '../database/query.ts'
import type { AuthTables } from '../database/schema.ts'
import { insertUnlessThere } from './address-block.store.ts'

/** A page of blocks, latest first; a page by min_id is oldest first. */
export const readEmailDomainBlockPage = preparedPage('email-domain-blocks.list', (_, { order, below, above, limit }) =>
  query.selectFrom('emailDomainBlock').selectAll().where('id', '<', below).where('id', '>', above).orderBy('id', order).limit(limit),
)

export const readEmailDomainBlock = prepared('email-domain-blocks.read', ({ id }: { id: string }) =>
  query.selectFrom('emailDomainBlock').selectAll().where('id', '=', id),
)

/** Counts of refused sign-ups since a day, by block and day. */
export const readUses = prepared(
  'email-domain-blocks.uses',
  ({ ids, since }: { ids: readonly string[]; since: string }) => sql<{ blockId: string; day: string; addresses: number; uses: number }>`
    select block.id block_id, counted.* from unnest(${ids}::bigint[]) block (id) cross join lateral (
      select day::text as day, count(*)::int addresses, sum(uses)::int uses from email_domain_block_use
       where block_id = block.id and day >= ${since}::date group by day) counted`,
)

/** The blocks of these domains. */
export const findEmailDomainBlocks = prepared(
  'email-domain-blocks.find',
  ({ domains }: { domains: readonly string[] }) => sql<{ id: string }>`
    select found.id from unnest(${domains}::text[]) name cross join lateral (select id from email_domain_block where domain = name offset 0) found`,
)

/** Counts a sign-up refused by a block. */
export const countUse = prepared(
  'email-domain-blocks.count',
  ({ id, day, address }: { id: string; day: string; address: string }) => sql<never>`
    insert into email_domain_block_use (block_id, day, address)
    select block.id, ${day}::date, ${address} from email_domain_block block where block.id = ${id}
    on conflict (block_id, day, address) do update set uses = email_domain_block_use.uses + 1`,
)

/** Adds a block and returns its id; undefined if the domain is already blocked. */
export const addEmailDomainBlock = async (tx: Tx<AuthTables>, block: { domain: string; createdAt: Date }): Promise<string | undefined> => {
  return insertUnlessThere(tx.insertInto('emailDomainBlock').values(block))
}

/** Deletes a block and returns its domain; undefined if there was none. */
export const removeEmailDomainBlock = async (tx: Tx<AuthTables>, id: string): Promise<string | undefined> =>
  (await tx.deleteFrom('emailDomainBlock').where('id', '=', id).returning('domain').executeTakeFirst())?.domain

/** Deletes counts before a day. */
export const forgetUses = async (tx: Tx<AuthTables>, before: string): Promise<void> => {
  await tx.deleteFrom('emailDomainBlockUse').where('day', '<', before).execute()
}
