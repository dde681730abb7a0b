import { prepared, preparedPage, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { isOpenStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'

/** Maximum number of reports on an account whose statuses are listed. */
const MAX_REPORTS = 200

/** An account's statuses that are public or unlisted, or named by one of the latest reports on it; latest first, without boosts. */
export const readStaffStatuses = preparedPage<{ accountId: string }, { id: string }>(
  'moderation.statuses',
  ({ accountId }, { order, below, above, limit }) => sql`
    select id from status_head h
    where author_id = ${accountId} and reblog_of_id is null and id < ${below} and id > ${above}
      and (${isOpenStatus('h')} or id = any(array(
        select unnest(status_ids) from (
          select status_ids from report where target_id = ${accountId} order by id desc limit ${sql.lit(MAX_REPORTS)}) latest)))
    order by id ${sql.raw(order)} limit ${limit}`,
)

/** The authors of these statuses; boosts are left out. */
export const readAuthors = prepared(
  'moderation.authors',
  ({ ids }: { ids: readonly string[] }) => sql<{ id: string; authorId: string; isLocal: boolean }>`
    select id, author_id, is_local from status_head where id = any(${ids}::bigint[]) and reblog_of_id is null order by id`,
)

export class StaffStatusWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Prevents a status of another server from being stored again. No effect on local statuses. */
  async refuse({ id, authorId, now }: { id: string; authorId: string; now: Date }): Promise<void> {
    await sql`
      insert into removed_uri (uri, created_at) select s.uri, ${now} from status s join status_head h on h.id = s.id
      where s.id = ${id} and h.author_id = ${authorId} and s.uri is not null
      on conflict do nothing`.execute(this.tx)
  }

  /** Marks a status of another server as sensitive here, until its server sends an edit. */
  async markRemote(id: string): Promise<void> {
    await sql`
      with marked as (update status set sensitive = true where id = ${id} and not sensitive returning id)
      update status_head set version = version + 1 where id in (select id from marked)`.execute(this.tx)
  }
}
