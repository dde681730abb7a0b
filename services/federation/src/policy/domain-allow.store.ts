import { prepared, preparedPage, type Tx } from '@rookery/database'
import type { Selectable } from 'kysely'
import { query } from '../database/query.ts'
import type { FederationTables } from '../database/schema.ts'
import type { DomainAllowTable } from '../database/tables/domain-allow.ts'

/** A stored entry of the allow-list. */
export type DomainAllowRow = Selectable<DomainAllowTable>

/** Allowed domains, latest first; a page by min_id is oldest first. */
export const readAllowPage = preparedPage('domain-allows.list', (_, { order, below, above, limit }) =>
  query.selectFrom('domainAllow').selectAll().where('id', '<', below).where('id', '>', above).orderBy('id', order).limit(limit),
)

export const readAllow = prepared('domain-allows.read', ({ id }: { id: string }) =>
  query.selectFrom('domainAllow').selectAll().where('id', '=', id),
)

/** Allows a domain and returns the entry; an existing one is unchanged. */
export const addAllow = async (tx: Tx<FederationTables>, allow: { domain: string; createdAt: Date }): Promise<DomainAllowRow> =>
  tx
    .insertInto('domainAllow')
    .values(allow)
    .onConflict((conflict) => conflict.column('domain').doUpdateSet({ domain: allow.domain }))
    .returningAll()
    .executeTakeFirstOrThrow()

/** Removes an entry and returns it; undefined if there is none. */
export const removeAllow = async (tx: Tx<FederationTables>, id: string): Promise<DomainAllowRow | undefined> =>
  tx.deleteFrom('domainAllow').where('id', '=', id).returningAll().executeTakeFirst()
