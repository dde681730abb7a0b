import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import { isNotDirectStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'

export class RemotePinWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Locks a remote account; false if it does not exist or is closed. */
  async lock(accountId: string): Promise<boolean> {
    const { rows } = await sql`
      select 1 from account where id = ${accountId} and domain is not null and closed_at is null for no key update`.execute(this.tx)
    return rows.length > 0
  }

  /** Replaces an account's pins with the first `limit` of these statuses, the first one as the latest pin. Writes nothing if they are the same. */
  async replace(accountId: string, statusIds: readonly string[], limit: number): Promise<void> {
    const wanted = sql`(
      select h.id from unnest(${[...statusIds]}::bigint[]) with ordinality as pinned (id, place)
      cross join lateral (select id, author_id, visibility, reblog_of_id from status_head where id = pinned.id offset 0) h
      where h.author_id = ${accountId} and h.reblog_of_id is null and ${isNotDirectStatus('h')}
      group by h.id order by min(place) limit ${limit})`
    const { rows } = await sql<{ wanted: string[]; pinned: string[] }>`
      select array(select id::text from ${wanted} w) wanted,
        array(select status_id::text from pin where account_id = ${accountId} order by id desc) pinned`.execute(this.tx)
    const [row] = rows
    if (!row || row.wanted.join() === row.pinned.join()) return
    await this.tx.deleteFrom('pin').where('accountId', '=', accountId).execute()
    for (const statusId of row.wanted.toReversed()) await this.tx.insertInto('pin').values({ accountId, statusId }).execute()
  }
}
