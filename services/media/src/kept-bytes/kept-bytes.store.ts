import { prepared } from '@rookery/database'
import { sql } from 'kysely'

/** Bytes of all stored files: uploads, and cached files of other servers. */
export type KeptBytes = { uploaded: number; remote: number }

/** The last sums; no row before the first time. */
export const readKeptBytes = prepared(
  'kept-bytes.read',
  () => sql<KeptBytes>`select uploaded::float8 uploaded, remote::float8 remote from kept_bytes where id = 1`,
)

/** Adds the changes that triggers recorded since (0015-changes-of-kept-bytes); returns a row if there was an exact sum to add to. */
export const addChangedBytes = prepared(
  'kept-bytes.add',
  ({ now }: { now: Date }) => sql<{ id: number }>`
    with changed as (delete from kept_bytes_change where exists (select from kept_bytes where id = 1 and exact_at = summed_at) returning uploaded, remote)
    update kept_bytes set summed_at = ${now}, exact_at = ${now},
      uploaded = uploaded + (select coalesce(sum(changed.uploaded), 0) from changed),
      remote = remote + (select coalesce(sum(changed.remote), 0) from changed)
    where id = 1 and exact_at = summed_at returning id`,
)

/** Sums over all records, recorded changes included. Files stored before sizes were recorded count as zero. */
export const sumKeptBytes = prepared(
  'kept-bytes.sum',
  ({ now }: { now: Date }) => sql<never>`
    with counted as (delete from kept_bytes_change)
    insert into kept_bytes (id, uploaded, remote, summed_at, exact_at)
    select 1, (select coalesce(sum(coalesce(original_bytes, 0)::bigint + coalesce(preview_bytes, 0)), 0) from attachment),
      (select coalesce(sum(bytes), 0) from remote_file where is_kept), ${now}, ${now}
    on conflict (id) do update set uploaded = excluded.uploaded, remote = excluded.remote, summed_at = excluded.summed_at, exact_at = excluded.exact_at`,
)
