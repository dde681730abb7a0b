import { orAll, preparedPage, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { hasBlockBetween } from '../../audience/index.ts'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'

type Pair = { accountId: string; targetId: string }

export class EndorsementWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Features an account if it is followed; returns whether it is followed. Idempotent. */
  async add({ accountId, targetId }: Pair, now: Date): Promise<boolean> {
    const { rows } = await sql`
      with followed as (select 1 from follow where account_id = ${accountId} and target_id = ${targetId}),
        added as (insert into endorsement (account_id, target_id, created_at)
          select ${accountId}::bigint, ${targetId}::bigint, ${now}::timestamptz from followed on conflict do nothing)
      select 1 from followed`.execute(this.tx)
    return rows.length > 0
  }

  /** Removes a featured account. */
  async remove({ accountId, targetId }: Pair): Promise<void> {
    await this.tx.deleteFrom('endorsement').where('accountId', '=', accountId).where('targetId', '=', targetId).execute()
  }
}

/**
 * The accounts an account features, without those with a block either way with the viewer, latest first; a page by min_id comes oldest first. All if
 * there is no limit.
 */
export const readEndorsed = preparedPage(
  'graph.endorsed',
  (given: { accountId: string; viewerId: string }, { order, below, above, limit }) =>
    query
      .selectFrom('endorsement as e')
      .select(['e.targetId as accountId', 'e.id as cursor'])
      .where('e.accountId', '=', given.accountId)
      .where('e.id', '<', below)
      .where('e.id', '>', above)
      .where(({ not }) => not(hasBlockBetween(sql.val(given.viewerId), 'e.target_id')))
      .orderBy('e.id', order)
      .limit(orAll(limit)),
)
