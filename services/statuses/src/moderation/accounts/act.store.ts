import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import { type ModerationState, moderationColumns } from '../../people/accounts/index.ts'

export class ActWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Changes what is given of an account and bumps its version; false where the account is gone or knows this act, or a later one. */
  async apply(actId: string, accountId: string, state: ModerationState): Promise<boolean> {
    const changed = await this.tx
      .updateTable('account')
      .set({ ...moderationColumns(state), lastActId: actId, version: sql`version + 1` })
      .where('id', '=', accountId)
      .where('lastActId', '<', actId)
      .returning('id')
      .executeTakeFirst()
    return changed !== undefined
  }
}
