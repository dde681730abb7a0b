import type { Db } from '@rookery/database'
import { sql } from 'kysely'
import type { MediaTables } from '../database/schema.ts'

/** A file that a record names; mediaId is null for a remote file and for one that is scheduled for deletion. */
export type NamedFile = { key: string; mediaId: string | null; ownerId: string | null; isDone: boolean }

/** Sorts after every key, which are hexadecimal. */
const END = 'g'

export class NamedFileReader {
  readonly #db: Db<MediaTables>

  constructor(db: Db<MediaTables>) {
    this.#db = db
  }

  /** Up to `max` named files after one key and up to another or the end, in order. */
  async between(after: string, last: string | undefined, max: number): Promise<NamedFile[]> {
    const upTo = last ?? END
    const { rows } = await sql<NamedFile>`
      select key, "mediaId", "ownerId", "isDone" from (
        (select original_key as key, id as "mediaId", owner_id as "ownerId", state = 'done' as "isDone" from attachment
          where original_key > ${after} and original_key <= ${upTo} order by original_key limit ${max})
        union all
        (select preview_key, id, owner_id, state = 'done' from attachment
          where preview_key > ${after} and preview_key <= ${upTo} order by preview_key limit ${max})
        union all
        (select source_key, id, owner_id, true from attachment
          where source_key > ${after} and source_key <= ${upTo} order by source_key limit ${max})
        union all
        (select original_key, null, null, is_kept from remote_file
          where original_key > ${after} and original_key <= ${upTo} order by original_key limit ${max})
        union all
        (select still_key, null, null, is_kept from remote_file
          where still_key > ${after} and still_key <= ${upTo} order by still_key limit ${max})
        union all
        (select key, null, null, false from discarded_file where key > ${after} and key <= ${upTo} order by key limit ${max})
      ) named order by key limit ${max}`.execute(this.#db)
    return rows
  }
}
