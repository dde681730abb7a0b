import { type Database, inBothOrders, keyset, type Page, sqlText, statement, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { hasBlockBetween } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'

type Pair = { accountId: string; targetId: string }

export class EndorsementWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Shows somebody on another's profile, when the one follows the other; false when not. Again changes nothing. */
  async add({ accountId, targetId }: Pair, now: Date): Promise<boolean> {
    const { rows } = await sql`
      with followed as (select 1 from follow where account_id = ${accountId} and target_id = ${targetId}),
        added as (insert into endorsement (account_id, target_id, created_at)
          select ${accountId}::bigint, ${targetId}::bigint, ${now}::timestamptz from followed on conflict do nothing)
      select 1 from followed`.execute(this.tx)
    return rows.length > 0
  }

  /** Shows somebody no more. */
  async remove({ accountId, targetId }: Pair): Promise<void> {
    await this.tx.deleteFrom('endorsement').where('accountId', '=', accountId).where('targetId', '=', targetId).execute()
  }
}

/** $1 who shows them, $2 viewer, $3 below, $4 above, $5 limit; people who stand in a block with the viewer are left out. */
const endorsed = (order: 'asc' | 'desc') =>
  statement<[accountId: string, cursor: string]>(
    `graph.endorsed-${order}`,
    sqlText`select e.target_id, e.id from endorsement e where e.account_id = $1 and e.id < $3 and e.id > $4
       and not ${hasBlockBetween('$2', 'e.target_id')}
     order by e.id ${order} limit $5`,
  )

const ENDORSED = inBothOrders(endorsed)

/** Whom somebody shows on their profile, latest first; a page by min_id comes oldest first. Without a limit: everybody. */
export const readEndorsed = async (
  database: Database<StatusesTables>,
  { accountId, viewerId, page }: { accountId: string; viewerId: string; page: Page },
): Promise<{ accountId: string; cursor: string }[]> => {
  const {
    order,
    bounds: [below, above, limit],
  } = keyset(page)
  const rows = await ENDORSED[order](database, [accountId, viewerId || '0', below, above, limit || null])
  return rows.map(([endorsedId, cursor]) => ({ accountId: endorsedId, cursor }))
}
