import { type Db, deleteInPieces, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { MediaTables } from '../database/schema.ts'

export class EndedSubjectWriter {
  readonly #tx: Tx<MediaTables>

  constructor(tx: Tx<MediaTables>) {
    this.#tx = tx
  }

  /** Records these subjects as ended; returns those that were not before. */
  async end(ids: readonly string[], now: Date): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      insert into ended_subject (id, ended_at) select id, ${now}::timestamptz from unnest(${[...ids]}::bigint[]) id order by id
      on conflict do nothing returning id`.execute(this.#tx)
    return rows.map(({ id }) => id)
  }

  /**
   * Frees the files of a status until they expire: those attached to it, and those it showed that are still attached to the scheduled
   * status it was made from, whose id is lower. Returns the ids they were attached to.
   */
  async free(status: { ownerId: string; subjectId: string; mediaIds: readonly string[] }, expiresAt: Date): Promise<string[]> {
    const { ownerId, subjectId, mediaIds } = status
    const { rows } = await sql<{ subjectId: string }>`
      with held as (
        select id, subject_id from attachment
        where owner_id = ${ownerId}::bigint and purpose = 'attachment'
          and (subject_id = ${subjectId}::bigint or (id = any(${[...mediaIds]}::bigint[]) and subject_id < ${subjectId}::bigint))
        order by id for update),
      freed as (
        update attachment a set subject_id = null, claimed_at = null, expires_at = ${expiresAt}::timestamptz from held where a.id = held.id)
      select distinct subject_id from held`.execute(this.#tx)
    return rows.map((row) => row.subjectId)
  }
}

/** Deletes records of subjects that ended before a time, in batches. */
export const forgetEnded = (db: Db<MediaTables>, before: Date): Promise<void> =>
  deleteInPieces(db, 'ended_subject', sql`ended_at < ${before}`)
