import { type Database, sharedQuery, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../database/schema.ts'
import { isNotSuspended } from './account.predicates.ts'
import { blocks, follows, followsSince, mayNotify } from './audience.predicates.ts'

const readHasBlocked = sharedQuery(
  'relations.has-blocked',
  { accountId: 'bigint', targetId: 'bigint' },
  ({ accountId, targetId }: { accountId: string; targetId: string }) =>
    sql<{ hasBlocked: boolean }>`select ${blocks(sql`${accountId}`, sql`${targetId}`)} has_blocked`,
)

/** Whether one account blocks another. */
export const hasBlocked = async (database: Database<StatusesTables>, accountId: string, targetId: string): Promise<boolean> =>
  (await readHasBlocked(database, { accountId, targetId }))[0]!.hasBlocked

/** The relationship of two accounts, as needed to decide whether to notify one of the other's act. */
type RelationRow = {
  /** The position of the act among those given, from 1. */
  place: number
  mayNotify: boolean
  recipientFollowsActor: boolean
  /** In milliseconds since 1970; null if it does not. */
  actorFollowsSince: number | null
  actorCreatedAt: Date
  isActorLimited: boolean
  isActorStaff: boolean
}

type Act = { recipientId: string; actorId: string; statusId: string }

/** The thread of the act's status. */
const THREAD = '(select thread_id from status_head where id = act.status_id)'

/** Whether the recipient blocks someone of a list, or whom the act's status answers. */
const blocksInvolved = (ids: readonly string[]) =>
  blocks('recipient', sql`any(${[...ids]}::bigint[] || array(select in_reply_to_account_id from status where id = act.status_id))`)

/**
 * Reads the relationships in the acts' own transaction. Acts of deleted actors are left out; those of suspended ones notify no one. `statusId` is
 * empty for an act without a status. For mentions `mentionedIds` are all that the status mentions: accounts that block one of them, or the account it
 * answers, are not notified (beyond-the-spec 1.14).
 */
export const readRelations = async (
  tx: Tx<StatusesTables>,
  acts: readonly Act[],
  { now, mentionedIds }: { now: Date; mentionedIds?: readonly string[] | undefined },
): Promise<RelationRow[]> => {
  const recipients = acts.map(({ recipientId }) => recipientId)
  const actors = acts.map(({ actorId }) => actorId)
  const statuses = acts.map(({ statusId }) => statusId || null)
  const { rows } = await sql<RelationRow>`
    select act.place::int,
      ${isNotSuspended()} and ${mayNotify({ recipient: 'recipient', actor: 'actor', thread: THREAD, now: sql`${now}` })}
        ${mentionedIds ? sql`and not ${blocksInvolved(mentionedIds)}` : sql``} may_notify,
      ${follows('recipient', 'actor')} recipient_follows_actor,
      ${followsSince('actor', 'recipient')} actor_follows_since,
      account.created_at actor_created_at, account.is_silenced is_actor_limited, account.role <> '' is_actor_staff
    from unnest(${recipients}::bigint[], ${actors}::bigint[], ${statuses}::bigint[]) with ordinality as act (recipient, actor, status_id, place)
    join account on account.id = actor
    order by act.place`.execute(tx)
  return rows
}
