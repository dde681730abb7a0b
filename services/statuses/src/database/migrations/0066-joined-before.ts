import { changeInPieces } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

/**
 * Marks those as joined whose login was disabled before auth said who has joined: others see no one else. What they did, only people do who
 * were let in.
 */
export const up = (db: Kysely<unknown>): Promise<void> =>
  changeInPieces(
    db,
    `update account set has_joined = true where id = any(array(
      select id from account where not is_active and not has_joined and domain is null and closed_at is null
        and (last_status_id > 0 or following_count > 0 or display_name <> '' or note <> '') limit 1000))`,
  )
