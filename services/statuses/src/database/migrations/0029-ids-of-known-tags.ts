import { changeInPieces } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

/** Numbers for the tags that were there before they had any. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  changeInPieces(
    db,
    `update tag set id = nextval('tag_id_seq') where name in (select name from tag where id is null limit 1000) and id is null`,
  )
