import { QuoteState } from '@rookery/contracts/statuses'
import { anyOf, arrayLiteral, type Db, deleteInPieces, hasRow, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { interactors, isDirect, isOpen } from '../../audience/index.ts'
import { hasCopyOf, type StoredPreview, withCopyChanged } from '../../content/attachments/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'

/** A status to delete, with the data of its events. */
export type DoomedStatus = {
  id: string
  authorId: string
  visibility: number
  threadId: string
  reblogOfId: string | null
  reblogOfAuthorId: string | null
  /** Null for a local status. */
  reblogOfUri: string | null
  reblogOfUsername: string | null
  isListed: boolean
  hasMedia: boolean
  text: string
  inReplyToId: string | null
  /** Whether the status it replies to is deleted. */
  isOrphan: boolean
  /** The quoted status, if the quote is accepted and therefore counted. */
  quotedId: string | null
  tags: string[]
  mediaIds: string[]
  /** Files of earlier revisions. */
  pastMediaIds: string[]
  mentioned: string[]
  username: string
  isLocal: boolean
  /** Remote accounts that it mentions, replies to, boosts or quotes, and some that boosted, favourited or replied to it. */
  remoteIds: string[]
}

const idsOf = (ids: readonly (string | null)[]): string[] => ids.filter((id) => id !== null)

export class StatusWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /**
   * Locks an author's statuses and the statuses they reply to, quote or boost, lower id first as every writer does. Adding or removing a boost
   * requires the lock on the original.
   */
  async lock(statusIds: readonly string[], authorId: string): Promise<void> {
    await sql`
      select id from status_head where id = any(array(
        select unnest(array[h.id, h.reblog_of_id, s.in_reply_to_id, (select quoted_id from quote where status_id = h.id)])
        from status_head h join status s on s.id = h.id
        where h.id = any(${arrayLiteral(statusIds)}::bigint[]) and h.author_id = ${authorId}))
      order by id for update`.execute(this.tx)
  }

  /** Locks an author's statuses, and returns them, then their boosts, each newest first. */
  async doomed(statusIds: readonly string[], authorId: string): Promise<DoomedStatus[]> {
    await this.lock(statusIds, authorId)
    const ids = sql`${arrayLiteral(statusIds)}::bigint[]`
    const { rows } = await sql<DoomedStatus>`
      select h.id, h.author_id, h.visibility, h.thread_id, h.reblog_of_id, h.is_listed, h.has_media, h.is_local, s.text, s.in_reply_to_id, s.tags,
        s.in_reply_to_id is not null and not ${hasRow(sql`from status_head where id = s.in_reply_to_id`)} is_orphan,
        (select username from account where id = h.author_id) username,
        array(select id::text from account where domain is not null and id = any(
          array(select account_id from mention where status_id = h.id) || s.in_reply_to_account_id
          || (select author_id from status_head where id = h.reblog_of_id)
          || (select author_id from status_head where id = (select quoted_id from quote where status_id = h.id))
          || array(${interactors('h.id')}))) remote_ids,
        (select uri from status where id = h.reblog_of_id) reblog_of_uri,
        (select username from account where id = (select author_id from status_head where id = h.reblog_of_id)) reblog_of_username,
        (select author_id from status_head where id = h.reblog_of_id) reblog_of_author_id,
        (select quoted_id from quote where status_id = h.id and state = ${sql.lit(QuoteState.ACCEPTED)}) quoted_id,
        array(select value ->> 'id' from jsonb_array_elements(s.attachments) where not value ? 'remote_url') media_ids,
        array(select distinct value ->> 'id' from status_revision r, jsonb_array_elements(r.attachments)
          where r.status_id = h.id and not value ? 'remote_url') past_media_ids,
        array(select account_id::text from mention where status_id = h.id) mentioned
      from status_head h join status s on s.id = h.id
      where h.id = any(array(select own.id from status_head own where own.id = any(${ids}) and own.author_id = ${authorId}
        union all select boost.id from status_head own join status_head boost on boost.reblog_of_id = own.id
        where own.id = any(${ids}) and own.author_id = ${authorId}))
      order by h.id <> all(${ids}), h.id desc`.execute(this.tx)
    return rows
  }

  /** Removes statuses with all dependent rows, and subtracts them from counts. */
  async remove(doomed: readonly DoomedStatus[]): Promise<void> {
    const ids = doomed.map(({ id }) => id)
    await this.tx.deleteFrom('statusHead').where('id', '=', anyOf(ids)).execute()
    await this.tx.deleteFrom('idempotencyKey').where('statusId', '=', anyOf(ids)).execute()
    await sql`
      delete from feed using unnest(${doomed.map(({ authorId }) => authorId)}::bigint[], ${ids}::bigint[]) as own (account_id, status_id)
      where feed.account_id = own.account_id and feed.status_id = own.status_id`.execute(this.tx)
    const open = doomed.filter(({ visibility }) => isOpen(visibility))
    await this.countFewer('replies', idsOf(open.map(({ inReplyToId }) => inReplyToId)))
    await this.countFewer('quotes', idsOf(open.map(({ quotedId }) => quotedId)))
    await this.countFewer('reblogs', idsOf(doomed.map(({ reblogOfId }) => reblogOfId)))
    await this.uncount(doomed.filter(({ visibility }) => !isDirect(visibility)).map(({ authorId }) => authorId))
  }

  /** Subtracts one reply, quote or boost for each occurrence of an id. */
  private async countFewer(count: 'replies' | 'quotes' | 'reblogs', ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await sql`
      update status_head set ${sql.ref(count)} = greatest(0, ${sql.ref(count)} - gone.count)
      from (select id, count(*)::int count from unnest(${arrayLiteral(ids)}::bigint[]) id group by id) gone
      where status_head.id = gone.id`.execute(this.tx)
  }

  /** Subtracts one status for each occurrence of a local author, and bumps the version of all these accounts. */
  private async uncount(authors: readonly string[]): Promise<void> {
    await sql`select id from account where id = ${anyOf(authors)} order by id for no key update`.execute(this.tx)
    await sql`
      update account set version = version + 1, statuses_count = greatest(0, statuses_count - case when domain is null then gone.count else 0 end)
      from (select author, count(*)::int count from unnest(${[...authors]}::bigint[]) author group by author) gone
      where id = gone.author`.execute(this.tx)
  }
}

/** Deletes idempotency keys created before a time, in batches. */
export const forgetKeys = (db: Db<StatusesTables>, before: Date): Promise<void> =>
  deleteInPieces(db, 'idempotency_key', sql`created_at < ${before}`)

/**
 * Changes the denormalised copy of a file on its status, and bumps the status's version. Revisions keep their description but get the new preview,
 * because the file of the old one is deleted.
 */
export const redescribeAttachment = async (
  tx: Tx<StatusesTables>,
  file: { statusId: string; mediaId: string; change: Partial<StoredAttachment>; preview: StoredPreview | undefined },
): Promise<void> => {
  const { statusId, mediaId, change, preview } = file
  // A concurrent edit may add the file: after the lock, this transaction sees it.
  await sql`select 1 from status_head where id = ${statusId} for no key update`.execute(tx)
  await sql`
    with changed as (
      update status set attachments = ${withCopyChanged(mediaId, change)} where id = ${statusId} and ${hasCopyOf(mediaId)} returning id)
    update status_head set version = version + 1 where id in (select id from changed)`.execute(tx)
  if (!preview) return
  await sql`
    update status_revision set attachments = ${withCopyChanged(mediaId, preview)}
    where status_id = ${statusId} and ${hasCopyOf(mediaId)}`.execute(tx)
}
