import type { Tx } from '@rookery/database'
import { type Selectable, sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'
import type { Address, Withdrawal } from './intake.rules.ts'

/** A notification that was just made. */
export type NewNotification = Selectable<NotificationsTables['notification']>

/** Adds to inboxes and takes out of them, one statement a set. */
export class IntakeWriter {
  readonly #tx: Tx<NotificationsTables>
  constructor(tx: Tx<NotificationsTables>) {
    this.#tx = tx
  }

  /** Makes the notifications that are not there yet, with ids in the order given, and answers with those. */
  async place(addresses: readonly Address[]): Promise<NewNotification[]> {
    if (addresses.length === 0) return []
    const placed = await sql<NewNotification>`
      insert into notification (recipient_id, type, actor_id, status_id, report_id, created_at)
      select recipient_id, type, actor_id, status_id, report_id, created_at
        from unnest(
          ${addresses.map((address) => address.recipientId)}::bigint[],
          ${addresses.map((address) => address.type)}::text[],
          ${addresses.map((address) => address.actorId)}::bigint[],
          ${addresses.map((address) => address.statusId ?? null)}::bigint[],
          ${addresses.map((address) => address.reportId ?? null)}::bigint[],
          ${addresses.map((address) => new Date(address.addressedAt).toISOString())}::timestamptz[]
        ) with ordinality as address (recipient_id, type, actor_id, status_id, report_id, created_at, place)
       order by place
      on conflict (recipient_id, actor_id, type, status_id, report_id) do nothing
      returning id, recipient_id, type, actor_id, status_id, report_id, created_at`.execute(this.#tx)
    return placed.rows
  }

  /** Takes out whatever any of the withdrawals matches, each found by the narrowest ids it names. */
  async withdraw(withdrawals: readonly Withdrawal[]): Promise<void> {
    if (withdrawals.length === 0) return
    await sql`
      with withdrawn as materialized (
        select recipient_id, type, actor_id, status_id
          from unnest(
            ${withdrawals.map((withdrawal) => withdrawal.recipientId ?? null)}::bigint[],
            ${withdrawals.map((withdrawal) => withdrawal.type ?? null)}::text[],
            ${withdrawals.map((withdrawal) => withdrawal.actorId ?? null)}::bigint[],
            ${withdrawals.map((withdrawal) => withdrawal.statusId ?? null)}::bigint[]
          ) as withdrawal (recipient_id, type, actor_id, status_id)
      )
      delete from notification where id = any(array(
        select told.id from withdrawn w join notification told on told.recipient_id = w.recipient_id and told.actor_id = w.actor_id
         where (w.status_id is null or told.status_id = w.status_id)
           and told.type = coalesce(w.type, told.type)
        union all
        select told.id from withdrawn w join notification told on told.status_id = w.status_id
         where (w.recipient_id is null or w.actor_id is null)
           and told.recipient_id = coalesce(w.recipient_id, told.recipient_id)
           and told.actor_id = coalesce(w.actor_id, told.actor_id)
           and told.type = coalesce(w.type, told.type)
        union all
        select told.id from withdrawn w join notification told on told.recipient_id = w.recipient_id
         where w.actor_id is null and w.status_id is null
           and told.type = coalesce(w.type, told.type)
        union all
        select told.id from withdrawn w join notification told on told.actor_id = w.actor_id
         where w.recipient_id is null and w.status_id is null
           and told.type = coalesce(w.type, told.type)
      ))`.execute(this.#tx)
  }
}
