import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/**
 * How much more or less is kept by each statement that changes records of files, to be added to what was summed: so that no one reads every record again
 * and again. Triggers note it, because records come and go by many ways. A sum that a process of before made says nothing of these changes: then `exact_at`
 * is not `summed_at`.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table kept_bytes add column exact_at timestamptz`.execute(db)
  await sql`create table kept_bytes_change (uploaded bigint not null, remote bigint not null)`.execute(db)
  const noting = async (table: string, column: 'uploaded' | 'remote', bytes: string) => {
    const sumOf = (rows: string) => `(select coalesce(sum(${bytes}), 0) from ${rows})`
    const acts = {
      insert: { sees: 'new table as added', change: sumOf('added') },
      update: { sees: 'new table as added old table as removed', change: `${sumOf('added')} - ${sumOf('removed')}` },
      delete: { sees: 'old table as removed', change: `- ${sumOf('removed')}` },
    }
    for (const [act, { sees, change }] of Object.entries(acts)) {
      const name = `note_kept_bytes_of_${table}_${act}`
      await sql
        .raw(
          `create function ${name}() returns trigger language plpgsql set search_path from current as $$
          begin
            insert into kept_bytes_change (uploaded, remote)
            select ${column === 'uploaded' ? 'bytes, 0' : '0, bytes'} from (select ${change} bytes) changed where bytes <> 0;
            return null;
          end $$`,
        )
        .execute(db)
      await sql
        .raw(`create trigger ${name} after ${act} on ${table} referencing ${sees} for each statement execute function ${name}()`)
        .execute(db)
    }
  }
  await noting('attachment', 'uploaded', 'coalesce(original_bytes, 0)::bigint + coalesce(preview_bytes, 0)')
  await noting('remote_file', 'remote', 'bytes * is_kept::integer')
}
