import type { AccountSuspended } from '@rookery/contracts/events'
import { anyOf, type Db, deleteInPieces, prepared, sharedQuery, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { MediaTables } from '../database/schema.ts'

/** A row if any files are withheld. */
export const findAnyWithheld = prepared(
  'withholding.any',
  () => sql<{ isWithheld: boolean }>`select is_withheld from withheld_owner where is_withheld limit 1`,
)

/**
 * A row if the file of a key is withheld. A file whose record was deleted counts as withheld: its owner, who is no longer known, may have
 * been suspended.
 */
export const findWithheld = sharedQuery(
  'withholding.find',
  { key: 'text' },
  ({ key }: { key: string }) => sql<{ isWithheld: boolean }>`
    select true is_withheld from (
      select owner_id from attachment where original_key = ${key}
      union all select owner_id from attachment where preview_key = ${key}) named
    cross join lateral (select 1 from withheld_owner w where w.owner_id = named.owner_id and is_withheld offset 0) withheld
    union all select true from discarded_file where key = ${key}`,
)

export class WithheldOwnerWriter {
  readonly #tx: Tx<MediaTables>

  constructor(tx: Tx<MediaTables>) {
    this.#tx = tx
  }

  /** Records whose files are withheld or not, one entry per account, unless a later act was recorded. */
  async decide(decisions: readonly AccountSuspended[], endsAt: Date): Promise<void> {
    await sql`
      insert into withheld_owner (owner_id, act_id, is_withheld, expires_at)
      select account, act, suspended, case when suspended then null else ${endsAt}::timestamptz end
      from unnest(${decisions.map(({ accountId }) => accountId)}::bigint[], ${decisions.map(({ actId }) => actId)}::bigint[],
        ${decisions.map(({ isSuspended }) => isSuspended)}::boolean[]) decided (account, act, suspended)
      order by account
      on conflict (owner_id) do update
        set act_id = excluded.act_id, is_withheld = excluded.is_withheld, expires_at = excluded.expires_at
        where withheld_owner.act_id < excluded.act_id`.execute(this.#tx)
  }

  /** Sets the expiry of removed accounts; the rows stay until their files are deleted. */
  async end(ownerIds: readonly string[], endsAt: Date): Promise<void> {
    await this.#tx.updateTable('withheldOwner').set({ expiresAt: endsAt }).where('ownerId', '=', anyOf(ownerIds)).execute()
  }
}

/** Deletes expired rows, in batches. */
export const forgetWithheld = (db: Db<MediaTables>, now: Date): Promise<void> =>
  deleteInPieces(db, 'withheld_owner', sql`expires_at <= ${now}`)
