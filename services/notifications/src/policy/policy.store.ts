import { hasRow, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'
import { DEFAULT_POLICY, type Policy, type PolicyReason } from './policy.rules.ts'
import { MAX_COUNTED, pendingOf } from './request.predicates.ts'

/** A policy, and the numbers of filtered notifications and their senders, each at most 100. */
type PolicySummary = { [Reason in PolicyReason]: string | null } & {
  pendingRequestsCount: number
  pendingNotificationsCount: number
  actorIds: string[]
}

/**
 * Reads an account's policy, whose columns are null if it was never changed, and counts filtered notifications, without those of the given
 * accounts.
 */
export const readPolicySummary = prepared(
  'policy.summary',
  ({ accountId, without }: { accountId: string; without: readonly string[] }) => sql<PolicySummary>`
    with request as materialized (
      select id, recipient_id, actor_id from notification_request
      where recipient_id = ${accountId} and actor_id <> all(${without}::bigint[]) order by id desc limit ${MAX_COUNTED})
    select policy.*, (select count(*)::int from request) pending_requests_count,
      (select count(*)::int from (
        select 1 from request cross join lateral (select 1 ${pendingOf('request')} limit ${MAX_COUNTED}) mention limit ${MAX_COUNTED}
      ) counted) pending_notifications_count,
      array(select actor_id::text from request) actor_ids
    from (select) one left join lateral (
      select for_not_following, for_not_followers, for_new_accounts, for_private_mentions, for_limited_accounts
        from notification_policy where account_id = ${accountId} offset 0) policy on true`,
)

/** Writes the given fields; fields never set have their defaults. */
export const writePolicy = async (
  tx: Tx<NotificationsTables>,
  accountId: string,
  changes: { readonly [Reason in PolicyReason]?: string | undefined },
): Promise<void> => {
  const said = Object.fromEntries(Object.entries(changes).filter(([, choice]) => choice !== undefined))
  await tx
    .insertInto('notificationPolicy')
    .values({ accountId, ...DEFAULT_POLICY, ...said })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ accountId, ...said }))
    .execute()
}

type Pair = { readonly recipientId: string; readonly actorId: string }
type JudgedBy = { place: number; isPermitted: boolean } & ({ [Reason in PolicyReason]: null } | Policy)

const readPolicies = prepared(
  'policy.of-addresses',
  ({ recipients, actors }: { recipients: readonly string[]; actors: readonly string[] }) => sql<JudgedBy>`
    select pair.place::int, policy.*,
      ${hasRow(sql`from notification_permission where recipient_id = pair.recipient_id and actor_id = pair.actor_id`)} is_permitted
    from unnest(${recipients}::bigint[], ${actors}::bigint[]) with ordinality as pair (recipient_id, actor_id, place)
    left join lateral (
      select for_not_following, for_not_followers, for_new_accounts, for_private_mentions, for_limited_accounts
        from notification_policy where account_id = pair.recipient_id offset 0) policy on true
    order by pair.place`,
)

/** The policy for each pair, in order; undefined if the recipient permits the actor. */
export const policiesOf = async (tx: Tx<NotificationsTables>, pairs: readonly Pair[]): Promise<(Policy | undefined)[]> => {
  const rows = await readPolicies(tx, {
    recipients: pairs.map(({ recipientId }) => recipientId),
    actors: pairs.map(({ actorId }) => actorId),
  })
  return rows.map((row) => {
    if (row.isPermitted) return undefined
    return row.forNotFollowing === null ? DEFAULT_POLICY : row
  })
}

/** Deletes the policies of these people. */
export const forgetPolicies = async (tx: Tx<NotificationsTables>, accountIds: readonly string[]): Promise<void> => {
  await sql`delete from notification_policy where account_id = any(${accountIds}::bigint[])`.execute(tx)
}
