import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import { blocks, blocksDomainOf, isLocalAccount, mutesNotifications, mutesThread } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'

/** A deleted direct status, and the participants of its conversation. */
type GoneStatus = { statusId: string; authorId: string; mentionedAccountIds: readonly string[] }

/** A block or mute, and an id that is lower than those of all statuses posted after it. */
export type Silencing = { ownerId: string; targetId: string; beforeId: string }

/** The pairs of these owners' conversations and these statuses; of each conversation only its latest one. */
export const readConversationsWith = async (
  db: Db<StatusesTables>,
  statusIds: readonly string[],
  ownerIds: readonly string[],
): Promise<{ id: string; ownerId: string; statusId: string }[]> => {
  const { rows } = await sql<{ id: string; ownerId: string; statusId: string }>`
    select distinct on (c.id) c.id, c.owner_id "ownerId", s.status_id "statusId"
    from conversation_status s join conversation c on c.id = s.conversation_id
    where s.status_id = any(${[...statusIds]}::bigint[]) and c.owner_id = any(${[...ownerIds]}::bigint[]) and not c.is_hidden
    order by c.id, s.status_id desc`.execute(db)
  return rows
}

/** An event after which conversations of a thread may end with another status: the thread, or a status in it. */
export type ThreadChange = { eventId: string } & ({ threadId: string } | { statusId: string })

/** These owners' conversations in changed threads, with the event that changed the thread. */
export const readConversationsIn = async (
  db: Db<StatusesTables>,
  changes: readonly ThreadChange[],
  ownerIds: readonly string[],
): Promise<{ id: string; ownerId: string; eventId: string }[]> => {
  const [threads, statuses] = [changes.filter((each) => 'threadId' in each), changes.filter((each) => 'statusId' in each)]
  const { rows } = await sql<{ id: string; ownerId: string; eventId: string }>`
    select distinct on (c.id) c.id, c.owner_id "ownerId", t.event_id "eventId"
    from (
      select * from unnest(${threads.map(({ threadId }) => threadId)}::bigint[], ${threads.map(({ eventId }) => eventId)}::text[])
        as changed (thread_id, event_id)
      union all
      select h.thread_id, changed.event_id
      from unnest(${statuses.map(({ statusId }) => statusId)}::bigint[], ${statuses.map(({ eventId }) => eventId)}::text[])
        as changed (status_id, event_id)
      cross join lateral (select thread_id from status_head where id = changed.status_id offset 0) h) t
    cross join lateral (
      select id, owner_id from conversation
      where owner_id = any(${[...ownerIds]}::bigint[]) and thread_id = t.thread_id and not is_hidden offset 0) c
    order by c.id, t.event_id`.execute(db)
  return rows
}

/** Updates conversations for events, with one statement per set. */
export class ConversationWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /**
   * Adds direct statuses to the conversations of their local participants: creates a conversation, or unhides the existing one. Participants other
   * than the author get nothing from an author whom they muted with notifications or whose domain they block, nor if they block a participant; in a
   * muted thread nothing is marked as unread. An older status that arrives late changes neither the last status nor the mark.
   */
  async place(statusIds: readonly string[], now: Date): Promise<void> {
    await this.hold(statusIds)
    await sql`
      with message as materialized (
        select id, author_id, thread_id from status_head where id = any(${[...statusIds]}::bigint[])),
      participant as materialized (
        select id status_id, author_id account_id from message
        union select message.id, m.account_id from message cross join lateral (
          select account_id from mention where status_id = message.id offset 0) m),
      circle as (select status_id, array_agg(account_id order by account_id) participants from participant group by status_id),
      heard as materialized (
        select p.account_id owner_id, m.thread_id, c.participants, m.id status_id, m.author_id
        from message m join circle c on c.status_id = m.id join participant p on p.status_id = m.id
        where ${isLocalAccount('p.account_id')} and (p.account_id = m.author_id or not (
          ${blocks('p.account_id', 'any(c.participants)')} or ${mutesNotifications('p.account_id', 'm.author_id', sql`${now}`)}
          or ${blocksDomainOf('p.account_id', 'm.author_id')}))),
      latest as (
        select distinct on (owner_id, thread_id, participants) owner_id, thread_id, participants, status_id, author_id
        from heard order by owner_id, thread_id, participants, status_id desc),
      touched as (
        insert into conversation as known (owner_id, thread_id, participants, last_status_id, is_unread)
        select owner_id, thread_id, participants, status_id, author_id <> owner_id and not ${mutesThread('latest.owner_id', 'latest.thread_id')}
        from latest order by owner_id, thread_id, participants
        on conflict (owner_id, thread_id, participants) do update set
          last_status_id = greatest(known.last_status_id, excluded.last_status_id),
          is_unread = case when excluded.last_status_id > known.last_status_id then excluded.is_unread else known.is_unread end,
          is_hidden = known.is_hidden and excluded.last_status_id <= known.last_status_id
        returning id, owner_id, thread_id, participants, is_hidden)
      insert into conversation_status (conversation_id, status_id)
      select t.id, h.status_id from touched t join heard h using (owner_id, thread_id, participants) where not t.is_hidden
      on conflict do nothing`.execute(this.tx)
  }

  /** Locks statuses against deletion until the transaction ends, lower id first as every writer does. */
  private async hold(statusIds: readonly string[]): Promise<void> {
    await sql`select 1 from status_head where id = any(${[...statusIds]}::bigint[]) order by id for key share`.execute(this.tx)
  }

  /**
   * Resets conversations whose last status was deleted to the one before it, and deletes empty ones. Only a last status by someone else is unread.
   */
  async withdraw(gone: readonly GoneStatus[]): Promise<void> {
    const owners = [...new Set(gone.flatMap(({ authorId, mentionedAccountIds }) => [authorId, ...mentionedAccountIds]))]
    // Two statements: one that waited for a lock would not see concurrent placements.
    const { rows } = await sql<{ id: string }>`
      select id from conversation
      where owner_id = any(${owners}::bigint[]) and last_status_id = any(${gone.map(({ statusId }) => statusId)}::bigint[])
        and not is_hidden
      order by id for update`.execute(this.tx)
    if (rows.length === 0) return
    await sql`
      with found as materialized (
        select c.id, previous.status_id, h.author_id
        from unnest(${rows.map(({ id }) => id)}::bigint[]) c (id)
        left join lateral (
          select status_id from conversation_status where conversation_id = c.id order by status_id desc limit 1) previous on true
        left join lateral (select author_id from status_head where id = previous.status_id offset 0) h on true),
      ended as (delete from conversation where id = any(array(select id from found where status_id is null)))
      update conversation set last_status_id = found.status_id, is_unread = is_unread and found.author_id <> owner_id
      from found where conversation.id = any(array(select id from found)) and conversation.id = found.id and found.status_id is not null`.execute(
      this.tx,
    )
  }

  /**
   * Removes statuses from the conversations of their participants before someone joined: these end with the status before, or are deleted if empty.
   */
  async leave(statusIds: readonly string[]): Promise<void> {
    await sql`
      with circle as materialized (
        select h.id status_id, array(
          select h.author_id union select account_id from mention where status_id = h.id order by 1) participants
        from status_head h where h.id = any(${[...statusIds]}::bigint[])),
      left_behind as materialized (
        select c.id, said.status_id
        from circle cross join lateral (select conversation_id, status_id from conversation_status where status_id = circle.status_id offset 0) said
        cross join lateral (select id, participants from conversation where id = said.conversation_id offset 0) c
        where c.participants <> circle.participants),
      earlier as materialized (
        select id, (
          select max(status_id) from conversation_status said where said.conversation_id = l.id and said.status_id <> all(${[...statusIds]}::bigint[])
        ) status_id
        from (select distinct id from left_behind) l),
      taken as (
        delete from conversation_status where ctid = any(array(select said.ctid from left_behind l cross join lateral (
          select ctid from conversation_status where conversation_id = l.id and status_id = l.status_id offset 0) said))),
      ended as (delete from conversation where id = any(array(select id from earlier where status_id is null)))
      update conversation set last_status_id = earlier.status_id, is_unread = false
      from earlier where conversation.id = any(array(select id from earlier)) and conversation.id = earlier.id and earlier.status_id is not null`.execute(
      this.tx,
    )
  }

  /** Deletes the conversations with a blocked or muted account, except those with a later message. */
  async clear(silenced: readonly Silencing[]): Promise<void> {
    await sql`
      delete from conversation c using unnest(
        ${silenced.map(({ ownerId }) => ownerId)}::bigint[],
        ${silenced.map(({ targetId }) => targetId)}::bigint[],
        ${silenced.map(({ beforeId }) => beforeId)}::bigint[]) as silenced (owner_id, target_id, before_id)
      where c.owner_id = silenced.owner_id and silenced.target_id = any(c.participants) and c.last_status_id < silenced.before_id`.execute(
      this.tx,
    )
  }
}
