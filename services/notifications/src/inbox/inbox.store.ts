import { anyOf, applyPage, type Db, onceFound, type Page, type Tx } from '@rookery/database'
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'
import type { NotificationTable } from '../database/tables/notification.ts'
import { removeEmptyRequests, removeEmptyRequestsOf } from '../policy/index.ts'

/** A row of an inbox. */
export type NotificationRow = Omit<Selectable<NotificationTable>, 'groupKey' | 'detail'>

/** The references of a row: an account, and perhaps a status or a report. */
export type About = Pick<NotificationRow, 'actorId' | 'statusId' | 'reportId' | 'type'>

/** The filter of an inbox: these types, not those, from this account; omitted fields match everything. */
export type InboxFilter = {
  readonly types: readonly string[] | undefined
  readonly excludeTypes: readonly string[]
  readonly accountId: string | undefined
  /** Whether to include filtered notifications; with an account they always are. */
  readonly includeFiltered: boolean
}

const anyText = (texts: readonly string[]) => sql<string>`any(${[...texts]}::text[])`
/** The columns in the indexes of inboxes. */
const COLUMNS = ['id', 'recipientId', 'type', 'actorId', 'statusId', 'reportId', 'createdAt'] as const

const isHidden = ({ includeFiltered, accountId }: InboxFilter) => !includeFiltered && !accountId

/** Reads inboxes. */
export class InboxReader {
  readonly #db: Db<NotificationsTables>
  constructor(db: Db<NotificationsTables>) {
    this.#db = db
  }

  /** A person's rows in the page's order: newest first, or ascending from min_id. */
  async page(recipientId: string, filter: InboxFilter, page: Page): Promise<NotificationRow[]> {
    const rows = applyPage(this.#wanted(recipientId, filter).select(COLUMNS), 'id', page)
    if (isHidden(filter)) return rows.select(sql<boolean>`false`.as('filtered')).execute()
    // Looked up after the page is found, so that the page is an index-only scan.
    const filtered = sql<boolean>`(select filtered from notification where id = page.id)`.as('filtered')
    return this.#db.selectFrom(rows.as('page')).selectAll('page').select(filtered).execute()
  }

  /** Unread rows, below an id if given, with their references; newest first. */
  unread(
    recipientId: string,
    filter: InboxFilter,
    page: { limit: number; maxId: string | undefined },
  ): Promise<(About & { id: string })[]> {
    const readTo = sql<string>`coalesce((select last_read_id from marker where account_id = ${recipientId} and timeline = 'notifications'), 0)`
    const above = this.#wanted(recipientId, filter).select(['actorId', 'statusId', 'reportId', 'type', 'id']).where('id', '>', readTo)
    const below = page.maxId === undefined ? above : above.where('id', '<', page.maxId)
    return below.orderBy('id', 'desc').limit(sql.val(page.limit)).execute()
  }

  #wanted(recipientId: string, filter: InboxFilter) {
    let query = this.#db.selectFrom('notification').where('recipientId', '=', recipientId)
    // Types are checked in inbox order: an index that begins with the recipient and has the type later would be scanned entirely.
    if (filter.types) query = query.where(onceFound(sql`type = ${anyText(filter.types)}`))
    if (filter.excludeTypes.length > 0) query = query.where(({ not, eb }) => not(eb('type', '=', anyText(filter.excludeTypes))))
    if (isHidden(filter)) query = query.where(sql<SqlBool>`not filtered`)
    return filter.accountId ? query.where('actorId', '=', filter.accountId) : query
  }

  /** One row, if it is this person's. */
  find(recipientId: string, id: string): Promise<NotificationRow | undefined> {
    return this.#db
      .selectFrom('notification')
      .select([...COLUMNS, 'filtered'])
      .where('id', '=', id)
      .where('recipientId', '=', recipientId)
      .executeTakeFirst()
  }
}

/** Deletes rows of inboxes. */
export class InboxWriter {
  readonly #tx: Tx<NotificationsTables>
  constructor(tx: Tx<NotificationsTables>) {
    this.#tx = tx
  }

  /** Deletes those of these rows that are this person's, and returns how many there were. */
  async remove(recipientId: string, ids: readonly string[]): Promise<number> {
    const rows = await this.#tx
      .deleteFrom('notification')
      .where('id', '=', anyOf(ids))
      .where('recipientId', '=', recipientId)
      .returning(['recipientId', 'actorId', 'filtered'])
      .execute()
    await removeEmptyRequests(
      this.#tx,
      rows.filter(({ filtered }) => filtered),
    )
    return rows.length
  }

  /** Deletes all rows of this person, and their requests. */
  async removeAll(recipientId: string): Promise<void> {
    await this.#tx.deleteFrom('notification').where('recipientId', '=', recipientId).execute()
    await removeEmptyRequestsOf(this.#tx, recipientId)
  }
}
