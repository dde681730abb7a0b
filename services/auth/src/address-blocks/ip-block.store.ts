import { prepared, preparedPage, type Tx } from '@rookery/database'
import { type Insertable, sql, type Updateable } from 'kysely'
import { query } from '../database/query.ts'
import type { AuthTables } from '../database/schema.ts'
import type { IpBlockRow, IpBlockSeverity, IpBlockTable } from '../database/tables/address-block.ts'
import { insertUnlessThere } from './address-block.store.ts'

/** A page of blocks, expired ones included, latest first; a page by min_id is oldest first. */
export const readIpBlockPage = preparedPage('ip-blocks.list', (_, { order, below, above, limit }) =>
  query.selectFrom('ipBlock').selectAll().where('id', '<', below).where('id', '>', above).orderBy('id', order).limit(limit),
)

export const readIpBlock = prepared('ip-blocks.read', ({ id }: { id: string }) =>
  query.selectFrom('ipBlock').selectAll().where('id', '=', id),
)

/** The severities of the unexpired blocks of an address. */
export const findSeverities = prepared(
  'ip-blocks.find',
  ({ address, now }: { address: string; now: Date }) => sql<{ severity: IpBlockSeverity }>`
    select severity from ip_block where network >>= ${address}::inet and (expires_at is null or expires_at > ${now})`,
)

/** The networks without access at a time, up to a maximum. */
export const readBarredNetworks = prepared(
  'ip-blocks.barred',
  ({ now, max }: { now: Date; max: number }) => sql<{ network: string }>`
    select network from ip_block where severity = 'no_access' and (expires_at is null or expires_at > ${now}) order by id limit ${max}`,
)

/** Locks the list of networks without access until the transaction ends. */
export const lockBarredNetworks = async (tx: Tx<AuthTables>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('auth.networks'))`.execute(tx)
}

/** Adds a block and returns its id; undefined if the network is already blocked. */
export const addIpBlock = async (tx: Tx<AuthTables>, block: Insertable<IpBlockTable>): Promise<string | undefined> => {
  return insertUnlessThere(tx.insertInto('ipBlock').values(block))
}

/** Changes the given columns of a block; undefined if there is none. */
export const changeIpBlock = async (tx: Tx<AuthTables>, id: string, changes: Updateable<IpBlockTable>): Promise<IpBlockRow | undefined> =>
  tx
    .updateTable('ipBlock')
    .set((build) => ({ network: build.ref('network'), ...changes }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Deletes a block and returns its network; undefined if there was none. */
export const removeIpBlock = async (tx: Tx<AuthTables>, id: string): Promise<string | undefined> =>
  (await tx.deleteFrom('ipBlock').where('id', '=', id).returning('network').executeTakeFirst())?.network
