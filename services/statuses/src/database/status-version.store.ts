import type { Db } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from './schema.ts'

/** Bumps the versions of statuses, so that what is kept of them is read again. Lower ids first, as every writer locks statuses. */
export const bumpVersions = async (tx: Db<StatusesTables>, ids: readonly string[]): Promise<void> => {
  await sql`
    update status_head set version = version + 1 from (
      select id from status_head where id = any(${[...ids]}::bigint[]) order by id for no key update) locked
    where status_head.id = locked.id`.execute(tx)
}
