import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import { follows, followsSince, isLocalAccount, mayNotify } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredPoll } from '../../database/tables/poll.ts'
import { isSameQuestion } from './poll.rules.ts'

/** A poll locked for a vote. */
export type OpenPoll = {
  authorId: string
  /** Null if the poll does not end. */
  expiresAt: Date | null
  isMultiple: boolean
  options: string[]
  /** The voter's earlier choices; null if they have not voted. */
  chosen: number[] | null
  /** Whether its author is local. */
  isLocal: boolean
  isVoterLocal: boolean
}

/** An account to notify of a poll's end, and its relationship to the author. */
type PollRecipient = {
  id: string
  followsAuthor: boolean
  /** When the author began to follow them, in milliseconds since 1970; null if the author does not. */
  followedSince: number | null
  authorId: string
  authorCreatedAt: Date
  isAuthorLimited: boolean
}

export class PollWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Locks the status and its poll and reads what a vote depends on; undefined if there is no poll. */
  async lock(statusId: string, voterId: string): Promise<OpenPoll | undefined> {
    // Lock first, then read: a statement that waited for the lock would read the old state.
    await sql`select 1 from status_head where id = ${statusId} for no key update`.execute(this.tx)
    const { rows } = await sql<OpenPoll>`
      select h.author_id, h.is_local, p.expires_at, p.is_multiple, p.options, ${isLocalAccount(sql`${voterId}`)} is_voter_local,
        (select choices from poll_vote where account_id = ${voterId} and status_id = p.status_id) chosen
      from poll p join status_head h on h.id = p.status_id where p.status_id = ${statusId}`.execute(this.tx)
    return rows[0]
  }

  /** Records a vote, or further choices of one, counts it and bumps the status's version. */
  async record(vote: { statusId: string; voterId: string; choices: readonly number[]; isFirst: boolean; now: Date }): Promise<void> {
    await sql`
      insert into poll_vote (status_id, account_id, choices, created_at)
      values (${vote.statusId}, ${vote.voterId}, ${[...vote.choices]}::int[], ${vote.now})
      on conflict (account_id, status_id) do update set choices = poll_vote.choices || excluded.choices`.execute(this.tx)
    await sql`
      update poll set voters = voters + ${vote.isFirst ? 1 : 0}::int, votes = array(
        select count + case when place - 1 = any(${[...vote.choices]}::int[]) then 1 else 0 end
        from unnest(votes) with ordinality as tally (count, place) order by place)
      where status_id = ${vote.statusId}`.execute(this.tx)
    await this.bump(vote.statusId)
  }

  /**
   * Replaces the poll of a status: the same question keeps its votes, and that its end was announced unless that moves; another starts without votes
   * (beyond-the-spec 1.10, Edit), null deletes it.
   */
  async replace(statusId: string, before: StoredPoll | null, after: StoredPoll | null): Promise<void> {
    if (before && after && isSameQuestion(before, after)) {
      const endsAt = after.expiresAt === null ? null : new Date(after.expiresAt)
      await sql`
        update poll set hides_totals = ${after.hidesTotals}, expires_at = ${endsAt},
          closed_at = case when expires_at is not distinct from ${endsAt}::timestamptz then closed_at end
        where status_id = ${statusId}`.execute(this.tx)
      return
    }
    if (before) await this.tx.deleteFrom('poll').where('statusId', '=', statusId).execute()
    if (!after) return
    await this.tx
      .insertInto('poll')
      .values({
        statusId,
        expiresAt: after.expiresAt === null ? null : new Date(after.expiresAt),
        isMultiple: after.isMultiple,
        hidesTotals: after.hidesTotals,
        options: after.options,
        votes: after.votes,
        voters: after.voters,
      })
      .execute()
  }

  /** Updates the counts of a remote poll from its server, if the options are unchanged. */
  async recount(statusId: string, { options, votes, voters }: StoredPoll): Promise<void> {
    const { rows } = await sql`
      update poll set votes = ${votes}::integer[], voters = ${voters}
      where status_id = ${statusId} and options = ${options}::text[] and (votes, voters) is distinct from (${votes}::integer[], ${voters}::integer)
      returning status_id`.execute(this.tx)
    if (rows.length > 0) await this.bump(statusId)
  }

  /** The author of a local poll; undefined for remote ones. */
  async localAuthor(statusId: string): Promise<string | undefined> {
    const query = this.tx.selectFrom('statusHead').select('authorId').where('id', '=', statusId).where('isLocal', '=', true)
    return (await query.executeTakeFirst())?.authorId
  }

  /** The end of a poll that was not closed yet, which no one moves until the transaction ends; undefined for others. */
  async holdEnd(statusId: string): Promise<Date | undefined> {
    const query = this.tx.selectFrom('poll').select('expiresAt').where('statusId', '=', statusId).where('closedAt', 'is', null)
    return (await query.forNoKeyUpdate().executeTakeFirst())?.expiresAt ?? undefined
  }

  /** Marks an ended poll as notified; false if it has not ended, was notified before, or is deleted. */
  async close(statusId: string, now: Date): Promise<boolean> {
    const { rows } = await sql`
      update poll set closed_at = ${now} where status_id = ${statusId} and closed_at is null and expires_at <= ${now}
      returning status_id`.execute(this.tx)
    if (rows.length === 0) return false
    await this.bump(statusId)
    return true
  }

  /** The author and all voters, except for remote accounts and those who may not be notified of the author's acts in the thread. */
  async recipients(statusId: string, now: Date): Promise<PollRecipient[]> {
    const { rows } = await sql<PollRecipient>`
      select p.id, h.author_id, a.created_at author_created_at, a.is_silenced is_author_limited,
        ${follows('p.id', 'h.author_id')} follows_author, ${followsSince('h.author_id', 'p.id')} followed_since
      from status_head h join account a on a.id = h.author_id
      cross join lateral (
        select h.author_id id union select account_id from poll_vote where status_id = h.id) p
      where h.id = ${statusId}
        and ${mayNotify({ recipient: 'p.id', actor: 'h.author_id', thread: 'h.thread_id', now: sql`${now}` })}`.execute(this.tx)
    return rows
  }

  private async bump(statusId: string): Promise<void> {
    await sql`update status_head set version = version + 1 where id = ${statusId}`.execute(this.tx)
  }
}
