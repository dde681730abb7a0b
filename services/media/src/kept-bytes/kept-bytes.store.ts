import { prepared } from '@rookery/database'
import { sql } from 'kysely'

/** Bytes of all files that are kept: those that people of this server uploaded, and those of other servers. */
export type KeptBytes = { uploaded: number; remote: number }

/** What they were when they were last summed; no row before the first time. */
export const readKeptBytes = prepared(
  'kept-bytes.read',
  () => sql<KeptBytes>`select uploaded::float8 uploaded, remote::float8 remote from kept_bytes where id = 1`,
)

/** Adds what changed since, which triggers noted (0015-changes-of-kept-bytes); answers whether there was an exact sum to add it to. */
export const addChangedBytes = prepared(
  'kept-bytes.add',
  ({ now }: { now: Date }) => sql<{ id: number }>`
    with changed as (delete from kept_bytes_change where exists (select from kept_bytes where id = 1 and exact_at = summed_at) returning uploaded, remote)
    update kept_bytes set summed_at = ${now}, exact_at = ${now},
      uploaded = uploaded + (select coalesce(sum(changed.uploaded), 0) from changed),
      remote = remote + (select coalesce(sum(changed.remote), 0) from changed)
    where id = 1 and exact_at = summed_at returning id`,
)

/** Sums them over all records, as they are with the changes that are noted. Files that were kept before their sizes were noted count nothing. */
export const sumKeptBytes = prepared(
  'kept-bytes.sum',
  ({ now }: { now: Date }) => sql<never>`
    with counted as (delete from kept_bytes_change)
    insert into kept_bytes (id, uploaded, remote, summed_at, exact_at)
    select 1, (select coalesce(sum(coalesce(original_bytes, 0)::bigint + coalesce(preview_bytes, 0)), 0) from attachment),
      (select coalesce(sum(bytes), 0) from remote_file where is_kept), ${now}, ${now}
    on conflict (id) do update set uploaded = excluded.uploaded, remote = excluded.remote, summed_at = excluded.summed_at, exact_at = excluded.exact_at`,
)
