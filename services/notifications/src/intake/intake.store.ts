import { NotificationDetail } from '@rookery/contracts/common'
import type { Db, Tx } from '@rookery/database'
import { type Selectable, sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'
import { groupKeyOf } from '../inbox/index.ts'
import { REQUEST_TYPES, removeEmptyRequests } from '../policy/index.ts'
import type { Address, Withdrawal } from './intake.rules.ts'

/** Types that are published as events, for mails. */
const PUBLISHED_TYPES = ['mention', 'follow', 'follow_request']

/** A new notification that is not filtered: of a type to publish, or to push to a subscription, once for each. */
export type Placed = {
  id: string
  recipientId: string
  type: string
  actorId: string
  statusId: string | null
  isPublished: boolean
  subscriptionId: string | null
}

/** A notification as it is stored. */
export type StoredNotification = Selectable<NotificationsTables['notification']>

const detailOf = ({ detail }: Address): Buffer | null => (detail ? Buffer.from(NotificationDetail.encode(detail).finish()) : null)

/** Addresses as columns for `unnest`. */
const columnsOf = (addresses: readonly Address[]) => sql`
  ${addresses.map((address) => address.recipientId)}::bigint[],
  ${addresses.map((address) => address.type)}::text[],
  ${addresses.map((address) => address.actorId)}::bigint[],
  ${addresses.map((address) => address.statusId ?? null)}::bigint[],
  ${addresses.map((address) => address.reportId ?? null)}::bigint[],
  ${addresses.map((address) => new Date(address.addressedAt).toISOString())}::timestamptz[],
  ${addresses.map((address) => groupKeyOf({ ...address, at: address.addressedAt }) ?? null)}::text[]`

/** The notifications that these addresses created, if they still exist and are not filtered, in the given order; `place` counts from 1. */
export const readPlaced = async (
  db: Db<NotificationsTables>,
  addresses: readonly Address[],
): Promise<(StoredNotification & { place: number })[]> => {
  // A notification that existed before has another time.
  const { rows } = await sql<StoredNotification & { place: number }>`
    select n.id, n.recipient_id, n.type, n.actor_id, n.status_id, n.report_id, n.created_at, n.group_key, n.filtered, n.detail, address.place::int
      from unnest(${columnsOf(addresses)})
          with ordinality as address (recipient_id, type, actor_id, status_id, report_id, created_at, group_key, place)
      join notification n on n.recipient_id = address.recipient_id and n.actor_id = address.actor_id and n.type = address.type
        and n.status_id is not distinct from address.status_id and n.report_id is not distinct from address.report_id
        and n.created_at = address.created_at and not n.filtered
     order by place`.execute(db)
  return rows
}

/** Adds to inboxes and deletes from them, in one statement per set. */
export class IntakeWriter {
  readonly #tx: Tx<NotificationsTables>
  constructor(tx: Tx<NotificationsTables>) {
    this.#tx = tx
  }

  /**
   * Creates notifications that do not exist yet, with ids in the given order. Filtered ones are not grouped, and filtered mentions and
   * quotes open a request if there is none. Returns those not filtered that are to be published, or pushed to a subscription of their
   * recipient.
   */
  async place(addresses: readonly (Address & { isFiltered: boolean })[]): Promise<Placed[]> {
    if (addresses.length === 0) return []
    const { rows } = await sql<Placed>`
      with placed as (
        insert into notification (recipient_id, type, actor_id, status_id, report_id, created_at, group_key, filtered, detail)
        select recipient_id, type, actor_id, status_id, report_id, created_at, case when not filtered then group_key end, filtered, detail
          from unnest(${columnsOf(addresses)}, ${addresses.map(({ isFiltered }) => isFiltered)}::boolean[], ${addresses.map(detailOf)}::bytea[])
            with ordinality as address (recipient_id, type, actor_id, status_id, report_id, created_at, group_key, filtered, detail, place)
         order by place
        on conflict (recipient_id, actor_id, type, status_id, report_id) do nothing
        returning id, recipient_id, actor_id, type, status_id, created_at, filtered
      ),
      -- The update changes nothing: it locks a request that is there, so that none is removed as empty meanwhile.
      opened as (
        insert into notification_request (id, recipient_id, actor_id, created_at)
        select distinct on (recipient_id, actor_id) id, recipient_id, actor_id, created_at
          from placed where filtered and type = any(${REQUEST_TYPES})
         order by recipient_id, actor_id, id
        on conflict (recipient_id, actor_id) do update set actor_id = excluded.actor_id
      )
      select placed.id, placed.recipient_id, placed.type, placed.actor_id, placed.status_id,
        placed.type = any(${PUBLISHED_TYPES}::text[]) is_published, subscription.id subscription_id
        from placed left join lateral (
          select id from push_subscription where account_id = placed.recipient_id
            and alerts -> placed.type = 'true'::jsonb and policy <> 'none' and not is_paused offset 0) subscription on true
       where not placed.filtered and (subscription.id is not null or placed.type = any(${PUBLISHED_TYPES}::text[]))
`.execute(this.#tx)
    return rows
  }

  /** Deletes everything that any of the withdrawals matches, each found by its narrowest id, and the requests that become empty. */
  async withdraw(withdrawals: readonly Withdrawal[]): Promise<void> {
    if (withdrawals.length === 0) return
    const { rows } = await sql<{ recipientId: string; actorId: string }>`
      with withdrawn as materialized (
        select recipient_id, type, actor_id, status_id
          from unnest(
            ${withdrawals.map((withdrawal) => withdrawal.recipientId ?? null)}::bigint[],
            ${withdrawals.map((withdrawal) => withdrawal.type ?? null)}::text[],
            ${withdrawals.map((withdrawal) => withdrawal.actorId ?? null)}::bigint[],
            ${withdrawals.map((withdrawal) => withdrawal.statusId ?? null)}::bigint[]
          ) as withdrawal (recipient_id, type, actor_id, status_id)
      ),
      gone as (
      delete from notification where id = any(array(
        select n.id from withdrawn w join notification n on n.recipient_id = w.recipient_id and n.actor_id = w.actor_id
         where (w.status_id is null or n.status_id = w.status_id)
           and n.type = coalesce(w.type, n.type)
        union all
        select n.id from withdrawn w join notification n on n.status_id = w.status_id
         where (w.recipient_id is null or w.actor_id is null)
           and n.recipient_id = coalesce(w.recipient_id, n.recipient_id)
           and n.actor_id = coalesce(w.actor_id, n.actor_id)
           and n.type = coalesce(w.type, n.type)
        union all
        select n.id from withdrawn w join notification n on n.recipient_id = w.recipient_id
         where w.actor_id is null and w.status_id is null
           and n.type = coalesce(w.type, n.type)
        union all
        select n.id from withdrawn w join notification n on n.actor_id = w.actor_id
         where w.recipient_id is null and w.status_id is null
           and n.type = coalesce(w.type, n.type)
      )) returning recipient_id, actor_id, type, filtered
      )
      select distinct recipient_id, actor_id from gone where filtered and type = any(${REQUEST_TYPES})`.execute(this.#tx)
    await removeEmptyRequests(this.#tx, rows)
  }
}
