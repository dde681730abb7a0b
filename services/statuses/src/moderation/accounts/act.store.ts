import { prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import { type ModerationState, moderationColumns } from '../../people/accounts/index.ts'

/** Suspended accounts of this server with an id above `after`, in order of id, with the last act on each. */
export const readSuspended = prepared(
  'acts.suspended',
  ({ after, limit }: { after: string; limit: number }) => sql<{ id: string; actId: string }>`
    select id, last_act_id act_id from account
    where (is_silenced or is_suspended) and is_suspended and domain is null and closed_at is null and id > ${after} order by id limit ${limit}`,
)

export class ActWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /**
   * Changes the moderation state of an account and bumps its version. Returns whether the account is of this server; undefined if it does not
   * exist, or if this act or a later one was applied already.
   */
  async apply(actId: string, accountId: string, state: ModerationState): Promise<{ isLocal: boolean } | undefined> {
    const changed = await this.tx
      .updateTable('account')
      .set({ ...moderationColumns(state), lastActId: actId, version: sql`version + 1` })
      .where('id', '=', accountId)
      .where('lastActId', '<', actId)
      .returning('domain')
      .executeTakeFirst()
    return changed && { isLocal: changed.domain === null }
  }
}
