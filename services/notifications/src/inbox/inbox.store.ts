import { applyPage, type Db, type Page, type Tx } from '@rookery/database'
import { type Selectable, sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'
import type { NotificationTable } from '../database/tables/notification.ts'

/** A row of an inbox. */
export type NotificationRow = Omit<Selectable<NotificationTable>, 'groupKey'>

/** What a row is about: an account, and perhaps a status or a report. */
export type About = Pick<NotificationRow, 'actorId' | 'statusId' | 'reportId'>

/** Which rows of an inbox are wanted: of these types, not of those, from this account; what is left out does not matter. */
export type InboxFilter = {
  readonly types: readonly string[] | undefined
  readonly excludeTypes: readonly string[]
  readonly accountId: string | undefined
}

const anyText = (texts: readonly string[]) => sql<string>`any(${[...texts]}::text[])`
const COLUMNS = ['id', 'recipientId', 'type', 'actorId', 'statusId', 'reportId', 'createdAt'] as const

/** Reads inboxes. */
export class InboxReader {
  readonly #db: Db<NotificationsTables>
  constructor(db: Db<NotificationsTables>) {
    this.#db = db
  }

  /** A person's rows in the order the page is read: newest first, or upwards from min_id. */
  async page(recipientId: string, filter: InboxFilter, page: Page): Promise<NotificationRow[]> {
    return applyPage(this.#wanted(recipientId, filter).select(COLUMNS), 'id', page).execute()
  }

  /** What the rows above the marker of notifications refer to, the newest `max` of them. */
  unread(recipientId: string, filter: InboxFilter, max: number): Promise<About[]> {
    const readTo = sql<string>`coalesce((select last_read_id from marker where account_id = ${recipientId} and timeline = 'notifications'), 0)`
    const above = this.#wanted(recipientId, filter).select(['actorId', 'statusId', 'reportId']).where('id', '>', readTo)
    return above.orderBy('id', 'desc').limit(sql.val(max)).execute()
  }

  #wanted(recipientId: string, filter: InboxFilter) {
    let query = this.#db.selectFrom('notification').where('recipientId', '=', recipientId)
    if (filter.types) query = query.where('type', '=', anyText(filter.types))
    if (filter.excludeTypes.length > 0) query = query.where(({ not, eb }) => not(eb('type', '=', anyText(filter.excludeTypes))))
    return filter.accountId ? query.where('actorId', '=', filter.accountId) : query
  }

  /** One row, if it is this person's. */
  find(recipientId: string, id: string): Promise<NotificationRow | undefined> {
    return this.#db
      .selectFrom('notification')
      .select(COLUMNS)
      .where('id', '=', id)
      .where('recipientId', '=', recipientId)
      .executeTakeFirst()
  }
}

/** Takes rows out of inboxes. */
export class InboxWriter {
  readonly #tx: Tx<NotificationsTables>
  constructor(tx: Tx<NotificationsTables>) {
    this.#tx = tx
  }

  /** Takes out one row, if it is this person's, and says whether it was there. */
  async remove(recipientId: string, id: string): Promise<boolean> {
    const result = await this.#tx.deleteFrom('notification').where('id', '=', id).where('recipientId', '=', recipientId).executeTakeFirst()
    return result.numDeletedRows > 0n
  }

  /** Takes out every row of this person. */
  async removeAll(recipientId: string): Promise<void> {
    await this.#tx.deleteFrom('notification').where('recipientId', '=', recipientId).execute()
  }
}
