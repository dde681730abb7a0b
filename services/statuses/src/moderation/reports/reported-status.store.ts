import { prepared, type Source, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'

/** A copy of a status at the time of a report; `content` is an encoded FormerStatus. */
export type StatusCopy = { statusId: string; revisedAt: Date; content: Uint8Array }

/** The copy of a status that was edited or deleted after the report. */
export type FormerCopy = { reportId: string; content: Buffer; isDeleted: boolean }

/** Stores copies of the statuses of a report. Reports of the same revision of a status share one copy. */
export const addCopies = async (tx: Tx<StatusesTables>, reportId: string, copies: readonly StatusCopy[]): Promise<void> => {
  const [ids, times] = [copies.map(({ statusId }) => statusId), copies.map(({ revisedAt }) => revisedAt)]
  const contents = copies.map(({ content }) => Buffer.from(content))
  // The update changes nothing: it locks the copy, so that it is not deleted before the report is committed.
  await sql`
    with copy as (
      insert into status_copy (status_id, revised_at, content)
      select id, revised_at, content
      from unnest(${ids}::bigint[], ${times}::timestamptz[], ${contents}::bytea[]) as given (id, revised_at, content) order by id
      on conflict (status_id, revised_at) do update set revised_at = excluded.revised_at returning id)
    insert into reported_status (report_id, copy_id) select ${reportId}, id from copy`.execute(tx)
}

const formerCopies = prepared(
  'reports.former-statuses',
  ({ reportIds }: { reportIds: readonly string[] }) => sql<FormerCopy>`
    select r.report_id, c.content, s.id is null is_deleted
    from reported_status r
    cross join lateral (select status_id, revised_at, content from status_copy where id = r.copy_id offset 0) c
    left join lateral (
      select id, date_trunc('milliseconds', coalesce(edited_at, created_at)) revised_at from status where id = c.status_id offset 0) s on true
    where r.report_id = any(${reportIds}::bigint[]) and (s.id is null or s.revised_at <> c.revised_at)
    order by r.report_id, c.status_id`,
)

/** Reads the copies of statuses that were edited or deleted after these reports, in order of report and status. */
export const readFormerCopies = (source: Source, reportIds: readonly string[]): Promise<FormerCopy[]> => formerCopies(source, { reportIds })

/** Maximum number of reports whose copies one statement releases; a report names a hundred statuses at most. */
const REPORTS = 20
/** Maximum number of copies that one statement deletes. */
const COPIES = 500

const releaseSome = prepared(
  'reports.release-copies',
  ({ before }: { before: Date }) => sql<{ id: string }>`
    with due as materialized (
        select id from report where has_copies and action_taken_at < ${before} order by action_taken_at limit ${sql.lit(REPORTS)} for update),
      released as (delete from reported_status where report_id = any(array(select id from due)))
    update report set has_copies = false where id = any(array(select id from due)) returning id`,
)

const deleteSome = prepared(
  'reports.delete-copies',
  () => sql<{ id: string }>`
    delete from status_copy where id = any(array(
      select c.id from status_copy c where not exists (select 1 from reported_status where copy_id = c.id)
      order by c.id limit ${sql.lit(COPIES)})) returning id`,
)

/**
 * Deletes the copies of reports that were resolved before a time, and of reports that were deleted with an account. Works in batches, so that it can
 * be interrupted and continued.
 */
export const forgetCopies = async (source: Source, before: Date): Promise<void> => {
  for (let released = REPORTS; released === REPORTS; ) released = (await releaseSome(source, { before })).length
  for (let deleted = COPIES; deleted === COPIES; ) deleted = (await deleteSome(source, {})).length
}
