import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'

/** The fields that decide whether a status may be pinned. */
export type Pinnable = { authorId: string; visibility: number; reblogOfId: string | null }

export class PinWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Locks the account, so that concurrent pins are counted one after the other, and returns the number of pins. */
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

  /** Unpins a status; false if it was not pinned. */
  async remove(accountId: string, statusId: string): Promise<boolean> {
    const query = this.tx.deleteFrom('pin').where('accountId', '=', accountId).where('statusId', '=', statusId)
    return (await query.returning('id').executeTakeFirst()) !== undefined
  }
}
