import { hasRow, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'

const PERMISSIONS_LOCK = 4714
/** Recipients share this many locks, so that a batch takes few. */
const SLOTS = 64

const slotOf = (recipientId: string) => Number(BigInt(recipientId) % BigInt(SLOTS))

/**
 * Waits for acceptances by these people under way, and blocks new ones until the transaction ends. Permissions are read in a later
 * statement, so nothing is filtered by a policy that an acceptance has overruled.
 */
export const holdBackPermissions = async (tx: Tx<NotificationsTables>, recipientIds: readonly string[]): Promise<void> => {
  const slots = [...new Set(recipientIds.map(slotOf))].sort((a, b) => a - b)
  await sql`select pg_advisory_xact_lock_shared(${PERMISSIONS_LOCK}::int, slot) from unnest(${slots}::int[]) slot`.execute(tx)
}

/** Permits these actors from now on; their filtered notifications are still to be merged. */
export const permit = async (tx: Tx<NotificationsTables>, recipientId: string, actorIds: readonly string[]): Promise<void> => {
  await sql`
    insert into notification_permission (recipient_id, actor_id, is_merged)
    select ${recipientId}::bigint, actor_id, false from unnest(${actorIds}::bigint[]) actor_id order by actor_id
    on conflict (recipient_id, actor_id) do update set is_merged = false`.execute(tx)
}

/** Waits for batches of notifications under way, and blocks new ones until the transaction ends. */
export const lockPermissions = async (tx: Tx<NotificationsTables>, recipientId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${PERMISSIONS_LOCK}::int, ${slotOf(recipientId)}::int)`.execute(tx)
}

/** Whether all notifications of accepted accounts are merged. */
export const readMerged = prepared(
  'policy.merged',
  ({ recipientId }: { recipientId: string }) => sql<{ isMerged: boolean }>`
    select not exists (select 1 from notification_permission where recipient_id = ${recipientId} and not is_merged limit 1) is_merged`,
)

/** Marks accepted accounts without filtered notifications as merged, and returns whether there were any. */
export const finishMerging = async (tx: Tx<NotificationsTables>, recipientId: string): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`
    update notification_permission permission set is_merged = true
     where recipient_id = ${recipientId} and not is_merged and not ${hasRow(
       sql`from notification n where n.recipient_id = permission.recipient_id and n.actor_id = permission.actor_id and n.filtered`,
     )}`.execute(tx)
  return numAffectedRows > 0n
}

/** Revokes permissions, by pair. */
export const revokePermissions = async (
  tx: Tx<NotificationsTables>,
  pairs: readonly { recipientId: string; actorId: string }[],
): Promise<void> => {
  await sql`delete from notification_permission where ctid = any(array(
    select held.ctid from unnest(
      ${pairs.map(({ recipientId }) => recipientId)}::bigint[], ${pairs.map(({ actorId }) => actorId)}::bigint[]) as pair (recipient_id, actor_id)
    cross join lateral (
      select ctid from notification_permission where recipient_id = pair.recipient_id and actor_id = pair.actor_id offset 0) held))`.execute(
    tx,
  )
}

/** Deletes all permissions given by or to these people. */
export const forgetPermissions = async (tx: Tx<NotificationsTables>, accountIds: readonly string[]): Promise<void> => {
  await sql`delete from notification_permission where recipient_id = any(${accountIds}::bigint[])`.execute(tx)
  await sql`delete from notification_permission where actor_id = any(${accountIds}::bigint[])`.execute(tx)
}
