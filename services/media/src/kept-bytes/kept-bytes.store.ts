import { prepared } from '@rookery/database'
import { sql } from 'kysely'

/** Bytes of all files that are kept: those that people of this server uploaded, and those of other servers. */
export type KeptBytes = { uploaded: number; remote: number }

/** What they were when they were last summed; no row before the first time. */
export const readKeptBytes = prepared(
  'kept-bytes.read',
  () => sql<KeptBytes>`select uploaded::float8 uploaded, remote::float8 remote from kept_bytes where id = 1`,
)

/** Sums them over all records. Files that were kept before their sizes were noted count nothing. */
export const sumKeptBytes = prepared(
  'kept-bytes.sum',
  ({ now }: { now: Date }) => sql<never>`
    insert into kept_bytes (id, uploaded, remote, summed_at)
    select 1, (select coalesce(sum(coalesce(original_bytes, 0)::bigint + coalesce(preview_bytes, 0)), 0) from attachment),
      (select coalesce(sum(bytes), 0) from remote_file where is_kept), ${now}
    on conflict (id) do update set uploaded = excluded.uploaded, remote = excluded.remote, summed_at = excluded.summed_at`,
)
