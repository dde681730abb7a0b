import type { ProfilePicturesChanged } from '@rookery/contracts/events'
import { anyOf, type Db, prepared, type Source, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { DESCRIPTION, type Description } from '../attachments/index.ts'
import type { MediaTables } from '../database/schema.ts'

/** Rows per statement: a large backlog is handled in batches. */
export const AT_A_TIME = 500

const unconfirmed = prepared(
  'reaper.unconfirmed',
  ({ subjectIds }: { subjectIds: readonly string[] }) =>
    sql<{ subjectId: string }>`
    select distinct subject_id from attachment where subject_id = any(${subjectIds}::bigint[]) and expires_at is not null`,
)

/** The statuses among these whose files expire unless they are confirmed. */
export const readUnconfirmed = async (source: Source, subjectIds: readonly string[]): Promise<Set<string>> =>
  new Set((await unconfirmed(source, { subjectIds })).map(({ subjectId }) => subjectId))

export class DiscardedFileReader {
  readonly #db: Db<MediaTables>

  constructor(db: Db<MediaTables>) {
    this.#db = db
  }

  /** Files to delete, the oldest first. */
  async next(): Promise<string[]> {
    const rows = await this.#db.selectFrom('discardedFile').select('key').orderBy('discardedAt').limit(AT_A_TIME).execute()
    return rows.map((row) => row.key)
  }
}

export class ReaperWriter {
  readonly #tx: Tx<MediaTables>

  constructor(tx: Tx<MediaTables>) {
    this.#tx = tx
  }

  /** Confirms statuses: the files they show stay. Returns those that were described since their claim. */
  async confirm(subjectIds: readonly string[]): Promise<(Description & { subjectId: string })[]> {
    const { rows } = await sql<Description & { subjectId: string }>`
      with confirmed as (
        update attachment set expires_at = null where subject_id = any(${[...subjectIds]}::bigint[]) and expires_at is not null returning *)
      select ${sql.join(DESCRIPTION.map((name) => sql.ref(name)))}, subject_id from confirmed where described_at >= claimed_at`.execute(
      this.#tx,
    )
    return rows
  }

  /** Frees the files of deleted statuses: they may be claimed again until they expire. */
  async release(subjectIds: readonly string[], expiresAt: Date): Promise<void> {
    const free = { subjectId: null, claimedAt: null, expiresAt }
    await this.#tx.updateTable('attachment').set(free).where('subjectId', '=', anyOf(subjectIds)).execute()
  }

  /** Confirms files of profiles, deletes the records of replaced ones and schedules their files for deletion; returns how many. */
  async showPictures(changes: readonly ProfilePicturesChanged[], now: Date): Promise<number> {
    const discarded = changes.flatMap(({ discardedMediaIds }) => discardedMediaIds)
    const kept = changes.flatMap(({ keptMediaIds }) => keptMediaIds)
    await this.#tx
      .updateTable('attachment')
      .set({ expiresAt: null })
      .where('id', '=', anyOf(kept))
      .whereRef('subjectId', '=', 'ownerId')
      .execute()
    return this.#discard(sql`select id from attachment where id = any(${discarded}::bigint[]) and subject_id = owner_id for update`, now)
  }

  /** Deletes the records of these subjects and schedules their files for deletion; returns how many. */
  async discardOf(subjectIds: readonly string[], now: Date): Promise<number> {
    return this.#discard(sql`select id from attachment where subject_id = any(${[...subjectIds]}::bigint[]) for update`, now)
  }

  /** Deletes the records of these owners and schedules their files for deletion; returns how many. */
  async discardOwned(ownerIds: readonly string[], now: Date): Promise<number> {
    return this.#discard(sql`select id from attachment where owner_id = any(${[...ownerIds]}::bigint[]) for update`, now)
  }

  /** Deletes a batch of expired records and schedules their files for deletion; returns how many. */
  async discardExpired(now: Date): Promise<number> {
    return this.#discard(
      sql`select id from attachment where expires_at <= ${now} order by expires_at limit ${AT_A_TIME} for update skip locked`,
      now,
    )
  }

  /** Schedules files for deletion, except those that a record names. */
  async discardUnnamed(keys: readonly string[], now: Date): Promise<void> {
    await sql`
      insert into discarded_file (key, discarded_at)
      select key, ${now}::timestamptz from unnest(${[...keys]}::text[]) key
      where not exists (select from attachment where original_key = key) and not exists (select from attachment where preview_key = key)
        and not exists (select from attachment where source_key = key)
        and not exists (select from remote_file where original_key = key) and not exists (select from remote_file where still_key = key)
      on conflict do nothing`.execute(this.#tx)
  }

  /** Removes deleted files from the schedule. */
  async forget(keys: readonly string[]): Promise<void> {
    await sql`delete from discarded_file where key = any(${[...keys]}::text[])`.execute(this.#tx)
  }

  async #discard(doomed: ReturnType<typeof sql>, now: Date): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      with gone as (delete from attachment where id = any(array(${doomed})) returning original_key, preview_key, source_key),
        noted as (
          insert into discarded_file (key, discarded_at)
          select key, ${now}::timestamptz from gone, unnest(array[original_key, preview_key, source_key]) key where key is not null
        )
      select count(*)::integer as count from gone`.execute(this.#tx)
    return rows[0]?.count ?? 0
  }
}
