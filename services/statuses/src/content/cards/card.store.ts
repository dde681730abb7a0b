import { type Db, hasRow, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import { bumpVersions } from '../../database/status-version.store.ts'
import type { StoredCard } from '../../database/tables/card.ts'
import type { Link } from './link.rules.ts'

/** A page to fetch. */
export type AskedPage = { digest: string; url: string; round: number }

/** A page with the result of its last fetch. */
export type KnownPage = AskedPage & { failures: number; card: StoredCard | null; pictureSubjectId: string | null }

/** Rows per statement. */
export const AT_A_TIME = 500

export class CardReader {
  protected readonly db: Db<StatusesTables>

  constructor(db: Db<StatusesTables>) {
    this.db = db
  }

  /** The page, if this round is still to be fetched and a status shows it. */
  async wanted(digest: string, round: number): Promise<AskedPage | undefined> {
    const { rows } = await sql<AskedPage>`
      select digest, url, round from preview_card p where digest = ${digest} and round = ${round}
        and exists (select 1 from status_card where digest = p.digest)`.execute(this.db)
    return rows[0]
  }

  /** Pages that statuses show and that are overdue: the process that was to fetch them died. */
  async overdue(before: Date): Promise<AskedPage[]> {
    const { rows } = await sql<AskedPage>`
      select digest, url, round from preview_card p where due_at < ${before} and (round = 0 or failures > 0)
        and exists (select 1 from status_card where digest = p.digest)
      order by due_at limit ${AT_A_TIME}`.execute(this.db)
    return rows
  }
}

export class CardWriter extends CardReader {
  constructor(tx: Tx<StatusesTables>) {
    super(tx)
  }

  /** Creates and locks the pages of links. Call it before locking statuses: the holder of a page may go on to lock the statuses that show it. */
  async hold(links: readonly Link[], now: Date): Promise<void> {
    const digests = links.map(({ digest }) => digest)
    await sql`
      insert into preview_card (digest, url, due_at, asked_at)
      select distinct on (digest) digest, url, ${now}::timestamptz, ${now}::timestamptz
      from unnest(${digests}::text[], ${links.map(({ pageUrl }) => pageUrl)}::text[]) as link (digest, url)
      order by digest on conflict (digest) do nothing`.execute(this.db)
    await sql`select 1 from preview_card where digest = any(${digests}::text[]) order by digest for update`.execute(this.db)
  }

  /** Locks statuses; returns the ids of those that were never edited. */
  async holdUnedited(statusIds: readonly string[]): Promise<Set<string>> {
    const ids = [...statusIds]
    await sql`select 1 from status_head where id = any(${ids}::bigint[]) order by id for no key update`.execute(this.db)
    const { rows } = await sql<{ id: string }>`
      select id from status where id = any(${ids}::bigint[]) and edited_at is null`.execute(this.db)
    return new Set(rows.map(({ id }) => id))
  }

  /** Attaches pages to statuses; a status that already has a page keeps it. */
  async show(shown: readonly { statusId: string; link: Link }[]): Promise<void> {
    const [ids, digests] = [shown.map(({ statusId }) => statusId), shown.map(({ link }) => link.digest)]
    await sql`
      with new as (
        insert into status_card (status_id, digest, url)
        select id, digest, url from unnest(${ids}::bigint[], ${digests}::text[], ${shown.map(({ link }) => link.url)}::text[])
          as shown (id, digest, url)
        on conflict (status_id) do nothing returning status_id, digest)
      update status_head set version = version + 1
      where id = any(array(select status_id from new join preview_card using (digest) where card is not null))`.execute(this.db)
  }

  /** Detaches the page from a status. The edit of its text bumps the version. */
  async hide(statusId: string): Promise<void> {
    await this.db.deleteFrom('statusCard').where('statusId', '=', statusId).execute()
  }

  /** The locked pages that may be fetched now. */
  async due(links: readonly Link[], now: Date): Promise<AskedPage[]> {
    const { rows } = await sql<AskedPage>`
      select digest, url, round from preview_card
      where digest = any(${links.map(({ digest }) => digest)}::text[]) and due_at <= ${now}`.execute(this.db)
    return rows
  }

  /** Locks a page to store the result of a round; undefined if the round is already finished. */
  async holdRound(digest: string, round: number): Promise<KnownPage | undefined> {
    const { rows } = await sql<KnownPage>`
      select digest, url, round, failures, card, picture_subject_id from preview_card
      where digest = ${digest} and round = ${round} for update`.execute(this.db)
    return rows[0]
  }

  /** Finishes a round. */
  async finish(digest: string, { failures, askedAt, dueAt }: { failures: number; askedAt: Date; dueAt: Date }): Promise<void> {
    await sql`
      update preview_card set round = round + 1, failures = ${failures}, asked_at = ${askedAt}, due_at = ${dueAt}
      where digest = ${digest}`.execute(this.db)
  }

  /** Replaces the card. */
  async keep(digest: string, card: StoredCard, pictureSubjectId: string | null): Promise<void> {
    await sql`
      update preview_card set card = ${JSON.stringify(card)}::jsonb, picture_subject_id = ${pictureSubjectId} where digest = ${digest}`.execute(
      this.db,
    )
  }

  /** Bumps the versions of a batch of statuses that show a page, newest first, below an id; returns where to continue, if there are more. */
  async bump(digest: string, below: string): Promise<string | undefined> {
    const { rows } = await sql<{ id: string }>`
      select status_id id from status_card where digest = ${digest} and status_id < ${below} order by status_id desc limit ${AT_A_TIME}`.execute(
      this.db,
    )
    const ids = rows.map(({ id }) => id)
    await bumpVersions(this.db, ids)
    return ids.length < AT_A_TIME ? undefined : ids.at(-1)
  }

  /**
   * Deletes unused pages from the next batch, in order of digests: those that no status shows and that were not fetched since `before`. Returns the
   * subjects of their images, and the last digest of the batch; null if there are no more.
   */
  async forgetUnused(after: string, before: Date): Promise<{ last: string | null; subjects: string[] }> {
    const { rows } = await sql<{ last: string | null; subjects: string[] }>`
      with part as materialized (select digest, asked_at from preview_card where digest > ${after} order by digest limit ${sql.lit(AT_A_TIME)}),
        gone as (
          delete from preview_card where digest = any(array(
            select digest from preview_card where digest = any(array(
              select p.digest from part p where p.asked_at < ${before} and not ${hasRow(sql`from status_card where digest = p.digest`)}))
            for update skip locked))
          returning picture_subject_id)
      select (select max(digest) from part) last,
        array(select picture_subject_id from gone where picture_subject_id is not null) subjects`.execute(this.db)
    return rows[0]!
  }
}
