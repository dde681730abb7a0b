import type { Tx } from '@rookery/database'
import type { Ids } from '@rookery/ids'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'

export class UploadWriter {
  readonly #tx: Tx<MediaTables>

  constructor(tx: Tx<MediaTables>) {
    this.#tx = tx
  }

  /** Adds a record under the next free id: another process may have generated the same one. */
  async add(row: Omit<AttachmentRow, 'id'>, ids: Ids): Promise<AttachmentRow> {
    for (;;) {
      const whole = { ...row, id: ids.next() }
      const query = this.#tx
        .insertInto('attachment')
        .values(whole)
        .onConflict((conflict) => conflict.column('id').doNothing())
      if (await query.returning('id').executeTakeFirst()) return whole
    }
  }

  /** Deletes a record whose files are not stored. */
  async remove(id: string): Promise<void> {
    await this.#tx.deleteFrom('attachment').where('id', '=', id).where('state', '=', 'pending').execute()
  }

  /** Marks a record's files as stored. */
  async finish(id: string): Promise<void> {
    await this.#tx.updateTable('attachment').set({ state: 'done' }).where('id', '=', id).execute()
  }

  /** Locks a record until the transaction ends; false if it was deleted, as those of removed accounts are. */
  async hold(id: string): Promise<boolean> {
    const query = this.#tx.selectFrom('attachment').select('id').where('id', '=', id)
    return (await query.forUpdate().executeTakeFirst()) !== undefined
  }
}
