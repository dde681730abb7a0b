import { type Database, prepared, preparedPage, type Tx } from '@rookery/database'
import { type Insertable, sql } from 'kysely'
import { query } from '../database/query.ts'
import type { FederationTables } from '../database/schema.ts'
import type { DomainBlockRow, DomainBlockTable } from '../database/tables/domain-block.ts'

const anyTextOf = (domains: readonly string[]) => sql<string>`any(${domains}::text[])`

/** The public blocks, milder ones first. */
export const readVisibleBlocks = prepared('domain-blocks.visible', () =>
  query
    .selectFrom('domainBlock')
    .select(['domain', 'severity', 'publicComment', 'obfuscate'])
    .where('severity', '!=', sql.lit('noop' as const))
    .orderBy('severity')
    .orderBy('domain'),
)

/** Blocks, latest first; a page by min_id is oldest first. */
export const readBlockPage = preparedPage('domain-blocks.list', (_, { order, below, above, limit }) =>
  query.selectFrom('domainBlock').selectAll().where('id', '<', below).where('id', '>', above).orderBy('id', order).limit(limit),
)

export const readBlock = prepared('domain-blocks.read', ({ id }: { id: string }) =>
  query.selectFrom('domainBlock').selectAll().where('id', '=', id),
)

/** All blocks, with the fields that limit accounts. */
export const readAllBlocks = prepared('domain-blocks.all', () =>
  query.selectFrom('domainBlock').select(['domain', 'severity', 'rejectMedia']).orderBy('id'),
)

/** The blocks of these domains that statuses does not know yet. */
export const readUnapplied = prepared('domain-blocks.unapplied', ({ domains }: { domains: readonly string[] }) =>
  query
    .selectFrom('domainBlock')
    .select(['domain', 'severity', 'rejectMedia'])
    .where('domain', '=', anyTextOf(domains))
    .where('isApplied', '=', sql.lit(false)),
)

/** Records that statuses knows the blocks of these domains. */
export const markApplied = async ({ db }: Database<FederationTables>, domains: readonly string[]): Promise<void> => {
  const query = db.updateTable('domainBlock').set({ isApplied: true }).where('domain', '=', anyTextOf(domains))
  await query.where('isApplied', '=', false).execute()
}

/** Changes blocks. */
export class DomainBlockWriter {
  private readonly tx: Tx<FederationTables>

  constructor(tx: Tx<FederationTables>) {
    this.tx = tx
  }

  /** The block of the most specific of these domains. Until the transaction ends, no other transaction can change blocks. */
  async lockMostSpecific(domains: readonly string[]): Promise<DomainBlockRow | undefined> {
    await sql`lock table domain_block in share row exclusive mode`.execute(this.tx)
    const query = this.tx.selectFrom('domainBlock').selectAll().where('domain', 'in', domains)
    return query.orderBy(sql`length(domain)`, 'desc').limit(1).executeTakeFirst()
  }

  async add(block: Insertable<DomainBlockTable>): Promise<DomainBlockRow> {
    return this.tx.insertInto('domainBlock').values(block).returningAll().executeTakeFirstOrThrow()
  }

  /** Changes the given columns; undefined if there is no such block. */
  async change(id: string, changes: Partial<DomainBlockRow>): Promise<DomainBlockRow | undefined> {
    return this.tx
      .updateTable('domainBlock')
      .set((build) => ({ domain: build.ref('domain'), ...changes }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
  }

  /** Removes a block and returns its domain; undefined if there is none. */
  async remove(id: string): Promise<string | undefined> {
    return (await this.tx.deleteFrom('domainBlock').where('id', '=', id).returning('domain').executeTakeFirst())?.domain
  }
}
