import type { Relationship } from '@rookery/contracts/statuses'
import { prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { blocksDomainOf, hasBlockBetween, isActiveMute, isNotSuspended, isThere } from '../../audience/index.ts'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'

/** The options of a follow. */
export type FollowOptions = { reblogs?: boolean | undefined; notify?: boolean | undefined; languages?: readonly string[] | undefined }

/** An account in an act: whether follows require approval, its numbers of follows and followers, and moderators' decisions. */
export type Person = {
  id: string
  locked: boolean
  followingCount: number
  followersCount: number
  isSilenced: boolean
  isSuspended: boolean
  movedToId: string | null
  /** Whether the account is remote. */
  isRemote: boolean
}

/** Whether an account is local. */
const isLocalAccount = (id: string) => sql<boolean>`(select domain is null from account where id = ${id})`

type Pair = { accountId: string; targetId: string }
type Relation = 'follow' | 'followRequest'

export class GraphWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Locks the existing accounts of a pair, lower id first, so that acts between the same two are serialised. */
  async lock({ accountId, targetId }: Pair): Promise<Map<string, Person>> {
    const { rows } = await sql<Person>`
      select id, locked, following_count, followers_count, is_silenced, is_suspended, moved_to_id, domain is not null is_remote from account
      where id = any(${[accountId, targetId]}::bigint[]) and ${isThere()} order by id for no key update`.execute(this.tx)
    return new Map(rows.map((row) => [row.id, row]))
  }

  /** Whether either blocks the other, or the other's domain. */
  async hasBlock({ accountId, targetId }: Pair): Promise<boolean> {
    const { rows } = await sql<{ hasBlock: boolean }>`
      select ${hasBlockBetween(sql`${accountId}`, sql`${targetId}`)} or ${blocksDomainOf(sql`${accountId}`, sql`${targetId}`)}
        or ${blocksDomainOf(sql`${targetId}`, sql`${accountId}`)} "hasBlock"`.execute(this.tx)
    return rows[0]!.hasBlock
  }

  /** The options of a follow; undefined if there is none. */
  async options({ accountId, targetId }: Pair): Promise<FollowOptions | undefined> {
    const query = this.tx.selectFrom('follow').select(['reblogs', 'notify', 'languages']).where('accountId', '=', accountId)
    const row = await query.where('targetId', '=', targetId).executeTakeFirst()
    return row && { reblogs: row.reblogs, notify: row.notify, languages: row.languages ?? undefined }
  }

  /** Changes the options of a follow or request, and returns whether they changed; undefined if there is none. */
  async adjust(relation: Relation, { accountId, targetId }: Pair, options: FollowOptions): Promise<{ isChanged: boolean } | undefined> {
    const reblogs = sql`coalesce(${options.reblogs ?? null}::boolean, reblogs)`
    const notify = sql`coalesce(${options.notify ?? null}::boolean, notify)`
    const languages = sql`case when ${options.languages !== undefined}::boolean then nullif(${options.languages ?? []}::text[], '{}') else languages end`
    const { rows } = await sql<{ isChanged: boolean }>`
      with changed as (
        update ${sql.table(relation)} set reblogs = ${reblogs}, notify = ${notify}, languages = ${languages}
        where account_id = ${accountId} and target_id = ${targetId}
          and (reblogs, notify, languages) is distinct from (${reblogs}, ${notify}, ${languages})
        returning id)
      select exists (select 1 from changed) is_changed from ${sql.table(relation)}
      where account_id = ${accountId} and target_id = ${targetId}`.execute(this.tx)
    return rows[0]
  }

  async add(relation: Relation, { accountId, targetId }: Pair, options: FollowOptions, now: Date): Promise<void> {
    const values = {
      accountId,
      targetId,
      reblogs: options.reblogs ?? true,
      notify: options.notify ?? false,
      languages: options.languages?.length ? [...options.languages] : null,
      createdAt: now,
    }
    if (relation === 'follow') {
      await this.tx
        .insertInto('follow')
        .values({ ...values, isLocal: isLocalAccount(accountId) })
        .execute()
    } else {
      await this.tx.insertInto('followRequest').values(values).execute()
    }
    await this.count(relation, { accountId, targetId }, 1)
  }

  /** Ends a follow or withdraws a request; returns whether there was one. */
  async remove(relation: Relation, { accountId, targetId }: Pair): Promise<boolean> {
    const query = this.tx.deleteFrom(relation).where('accountId', '=', accountId).where('targetId', '=', targetId)
    if (!(await query.returning('id').executeTakeFirst())) return false
    await this.count(relation, { accountId, targetId }, -1)
    return true
  }

  /** Turns a request into a follow; returns whether there was one. */
  async accept({ accountId, targetId }: Pair, now: Date): Promise<boolean> {
    const { rows } = await sql`
      with request as (delete from follow_request where account_id = ${accountId} and target_id = ${targetId} returning reblogs, notify, languages)
      insert into follow (account_id, target_id, reblogs, notify, languages, created_at, is_local)
      select ${accountId}::bigint, ${targetId}::bigint, reblogs, notify, languages, ${now}::timestamptz, ${isLocalAccount(accountId)}
      from request returning id`.execute(this.tx)
    if (rows.length === 0) return false
    await this.count('followRequest', { accountId, targetId }, -1)
    await this.count('follow', { accountId, targetId }, 1)
    return true
  }

  private async count(relation: Relation, { accountId, targetId }: Pair, change: 1 | -1): Promise<void> {
    if (relation === 'followRequest') {
      await sql`update account set follow_requests_count = greatest(0, follow_requests_count + ${change}::int), version = version + 1
        where id = ${targetId}`.execute(this.tx)
      return
    }
    await sql`
      update account set version = version + 1,
        following_count = greatest(0, following_count + case when id = ${accountId} then ${change}::int else 0 end),
        followers_count = greatest(0, followers_count + case when id = ${targetId} then ${change}::int else 0 end)
      where id = any(${[accountId, targetId]}::bigint[])`.execute(this.tx)
  }

  /** Adds a block; false if there was one already. */
  async block({ accountId, targetId }: Pair, now: Date): Promise<boolean> {
    const added = await this.tx
      .insertInto('block')
      .values({ accountId, targetId, createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added) await this.bumpContexts([accountId, targetId])
    return added !== undefined
  }

  /** Ends a block; returns whether there was one. */
  async unblock({ accountId, targetId }: Pair): Promise<boolean> {
    const query = this.tx.deleteFrom('block').where('accountId', '=', accountId).where('targetId', '=', targetId)
    const ended = await query.returning('id').executeTakeFirst()
    if (ended) await this.bumpContexts([accountId, targetId])
    return ended !== undefined
  }

  /** Adds or changes a mute. */
  async mute({ accountId, targetId }: Pair, mute: { notifications: boolean; expiresAt: Date | null; now: Date }): Promise<void> {
    await sql`
      insert into mute (account_id, target_id, notifications, expires_at, created_at)
      values (${accountId}, ${targetId}, ${mute.notifications}, ${mute.expiresAt}, ${mute.now})
      on conflict (account_id, target_id) do update set notifications = excluded.notifications, expires_at = excluded.expires_at`.execute(
      this.tx,
    )
    await this.bumpContexts([accountId])
  }

  /** Ends a mute; returns whether there was one. */
  async unmute({ accountId, targetId }: Pair): Promise<boolean> {
    const query = this.tx.deleteFrom('mute').where('accountId', '=', accountId).where('targetId', '=', targetId)
    const ended = await query.returning('id').executeTakeFirst()
    if (ended) await this.bumpContexts([accountId])
    return ended !== undefined
  }

  /** Deletes expired mutes, at most `max`; returns their pairs. */
  async endMutes(now: Date, max: number): Promise<Pair[]> {
    const { rows } = await sql<Pair>`
      delete from mute where id in (select id from mute where expires_at <= ${now} order by expires_at limit ${max} for update skip locked)
      returning account_id "accountId", target_id "targetId"`.execute(this.tx)
    if (rows.length > 0) await this.bumpContexts(rows.map(({ accountId }) => accountId))
    return rows
  }

  private async bumpContexts(accountIds: readonly string[]): Promise<void> {
    await sql`update account set context_version = context_version + 1 where id = any(${[...accountIds]}::bigint[])`.execute(this.tx)
  }
}

/** The follow requests of an account while it is unlocked, oldest first. */
export const readWaiting = prepared('graph.waiting', ({ accountId, limit }: { accountId: string; limit: number }) =>
  query
    .selectFrom('followRequest as r')
    .innerJoin('account as a', 'a.id', 'r.targetId')
    .select('r.accountId as requesterId')
    .where('r.targetId', '=', accountId)
    .where(({ not, ref }) => not(ref('a.locked')))
    .orderBy('r.id')
    .limit(limit),
)

type RelationshipsWanted = { viewerId: string; accountIds: readonly string[]; now: Date; withSuspended: boolean }

/** The viewer's relationship to each account of a list, in order; unknown ids are left out, and suspended accounts unless requested. */
export const readRelationshipRows = prepared(
  'graph.relationships',
  ({ viewerId, accountIds, now, withSuspended }: RelationshipsWanted) => sql<Relationship>`
    select a.id, f.id is not null following, coalesce(f.reblogs, r.reblogs, false) showing_reblogs,
      coalesce(f.notify, r.notify, false) notifying, coalesce(f.languages, r.languages, '{}') languages, back.id is not null followed_by,
      b.id is not null blocking, blocked.id is not null blocked_by, m.id is not null muting,
      coalesce(m.notifications, false) muting_notifications, r.id is not null requested, asked.id is not null requested_by,
      d.id is not null domain_blocking, e.id is not null endorsed, coalesce(n.comment, '') note
    from unnest(${accountIds}::bigint[]) with ordinality wanted (id, place)
    join account a on a.id = wanted.id and ${isThere('a')}
    left join follow f on f.account_id = ${viewerId} and f.target_id = a.id
    left join follow_request r on r.account_id = ${viewerId} and r.target_id = a.id
    left join follow back on back.account_id = a.id and back.target_id = ${viewerId}
    left join block b on b.account_id = ${viewerId} and b.target_id = a.id
    left join block blocked on blocked.account_id = a.id and blocked.target_id = ${viewerId}
    left join mute m on m.account_id = ${viewerId} and m.target_id = a.id and ${isActiveMute('m', sql.val(now))}
    left join follow_request asked on asked.account_id = a.id and asked.target_id = ${viewerId}
    left join endorsement e on e.account_id = ${viewerId} and e.target_id = a.id
    left join domain_block d on d.account_id = ${viewerId} and d.domain = a.domain
    left join account_note n on n.account_id = ${viewerId} and n.target_id = a.id
    where ${withSuspended}::boolean or ${isNotSuspended('a')}
    order by wanted.place`,
)
