import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'

/** What decides whether a status may be pinned. */
export type Pinnable = { authorId: string; visibility: number; reblogOfId: string | null }

export class PinWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Locks the person, so that two pins at once are counted one after the other, and returns how many there are. */
  async count(accountId: string): Promise<number> {
    await sql`select 1 from account where id = ${accountId} for no key update`.execute(this.tx)
    const { rows } = await sql<{ count: number }>`select count(*)::int count from pin where account_id = ${accountId}`.execute(this.tx)
    return rows[0]?.count ?? 0
  }

  async pinnable(statusId: string): Promise<Pinnable | undefined> {
    const query = this.tx.selectFrom('statusHead').select(['authorId', 'visibility', 'reblogOfId']).where('id', '=', statusId)
    return query.executeTakeFirst()
  }

  async has(accountId: string, statusId: string): Promise<boolean> {
    const query = this.tx.selectFrom('pin').select('id').where('accountId', '=', accountId).where('statusId', '=', statusId)
    return (await query.executeTakeFirst()) !== undefined
  }

  async add(accountId: string, statusId: string): Promise<void> {
    await this.tx.insertInto('pin').values({ accountId, statusId }).execute()
  }

  /** Takes it from the top; false when it was not there. */
  async remove(accountId: string, statusId: string): Promise<boolean> {
    const query = this.tx.deleteFrom('pin').where('accountId', '=', accountId).where('statusId', '=', statusId)
    return (await query.returning('id').executeTakeFirst()) !== undefined
  }
}
