import { type Db, keyset, type Page, type Tx } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'
import { type InboxFilter, InboxWriter } from '../inbox/index.ts'
import type { GroupKey, GroupRow } from './group.rules.ts'

/** The types that are grouped. */
const GROUPED_TYPES = ['favourite', 'reblog', 'follow', 'admin.sign_up']

type Asked = {
  recipientId: string
  filter: InboxFilter
  /** The types to group, all groupable ones if empty; others are not grouped. */
  groupedTypes: readonly string[]
  /** Maximum accounts per group. */
  samples: number
}

const anyText = (texts: readonly string[]) => sql`any(${[...texts]}::text[])`
const typesAs = (column: RawBuilder<unknown>, { types, excludeTypes }: InboxFilter) =>
  sql`${types ? sql`and ${column} = ${anyText(types)}` : sql``} ${excludeTypes.length > 0 ? sql`and not ${column} = ${anyText(excludeTypes)}` : sql``}`

const GROUPS = sql`
  latest_id as id, group_key as key, type, status_id, null::bigint as report_id, notifications_count as count, latest_at, null::bigint as actor_id`
const ALONE = sql`
  id, 'ungrouped-' || id as key, type, status_id, report_id, 1::bigint as count, created_at as latest_at, actor_id`

/**
 * Reads a page of groups and ungrouped notifications, in the page's order, by the latest notification of each. One statement: each part is
 * read in the order of an index and stops at the limit, however many notifications a group has. The range of the last page extends to the
 * requested bound.
 */
export const readGroups = async (db: Db<NotificationsTables>, asked: Asked, page: Page): Promise<GroupRow[]> => {
  const { recipientId, filter } = asked
  const isGrouped = (type: string) => asked.groupedTypes.length === 0 || asked.groupedTypes.includes(type)
  const groupedTypes = GROUPED_TYPES.filter(isGrouped)
  const { order, below, above, limit } = keyset(page)
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  const part = (columns: RawBuilder<unknown>, { from, id, where }: Record<'from' | 'id' | 'where', RawBuilder<unknown>>) => sql`
    (select ${columns} from ${from}
      where recipient_id = ${recipientId} and ${id} < ${below}::bigint and ${id} > ${above}::bigint and ${where} ${typesAs(sql`type`, filter)}
      order by ${id} ${direction} limit ${limit})`
  const alone = (where: RawBuilder<unknown>) => part(ALONE, { from: sql`notification`, id: sql`id`, where })
  const others = GROUPED_TYPES.filter((type) => !isGrouped(type))
  const parts = filter.accountId
    ? [alone(sql`actor_id = ${filter.accountId}`)]
    : [
        part(GROUPS, { from: sql`notification_group`, id: sql`latest_id`, where: sql`type = ${anyText(groupedTypes)}` }),
        alone(filter.includeFiltered ? sql`group_key is null` : sql`group_key is null and not filtered`),
        ...(others.length > 0 ? [alone(sql`group_key is not null and type = ${anyText(others)}`)] : []),
      ]
  const { rows } = await sql<GroupRow>`
    with page as materialized (select * from (${sql.join(parts, sql` union all `)}) entry order by id ${direction} limit ${limit}),
      oldest as materialized (select ${order === 'asc' ? sql`min(id)` : sql`case when count(*) < ${limit} then ${above}::bigint + 1 else min(id) end`} id from page)
    select page.id, page.key, page.type, page.status_id, page.report_id, page.count, page.latest_at,
      case when page.actor_id is not null then array[page.actor_id::text] else array(
        select n.actor_id::text from notification n
         where n.recipient_id = ${recipientId} and n.group_key = page.key order by n.id desc limit ${asked.samples}
      ) end as account_ids,
      coalesce((
        select n.id from notification n
         where n.recipient_id = ${recipientId} and n.group_key = page.key and n.id >= (select id from oldest) order by n.id limit 1
      ), page.id) as page_min_id
    from page order by page.id ${direction}`.execute(db)
  return rows
}

const ofKey = (key: GroupKey) => ('groupKey' in key ? sql<boolean>`group_key = ${key.groupKey}` : sql<boolean>`id = ${key.id}`)

/** A page of the notifications of a group, or the ungrouped one of a key. */
export const readMembers = async (
  db: Db<NotificationsTables>,
  { recipientId, key }: { recipientId: string; key: GroupKey },
  page: Page,
): Promise<{ id: string; actorId: string; type: string; statusId: string | null; reportId: string | null; createdAt: Date }[]> => {
  const { order, below, above, limit } = keyset(page)
  return db
    .selectFrom('notification')
    .select(['id', 'actorId', 'type', 'statusId', 'reportId', 'createdAt'])
    .where('recipientId', '=', recipientId)
    .where(ofKey(key))
    .where('id', '<', below)
    .where('id', '>', above)
    .orderBy('id', order)
    .limit(sql.val(limit))
    .execute()
}

/** The number of a group's notifications. */
export const countMembers = async (db: Db<NotificationsTables>, recipientId: string, groupKey: string): Promise<number> => {
  const row = await db
    .selectFrom('notificationGroup')
    .select('notificationsCount')
    .where('recipientId', '=', recipientId)
    .where('groupKey', '=', groupKey)
    .executeTakeFirst()
  return Number(row?.notificationsCount ?? 0)
}

/** Deletes the notifications of a key, and returns whether there were any. */
export const removeMembers = async (tx: Tx<NotificationsTables>, recipientId: string, key: GroupKey): Promise<boolean> => {
  if ('id' in key) return (await new InboxWriter(tx).remove(recipientId, [key.id])) > 0
  const result = await tx.deleteFrom('notification').where('recipientId', '=', recipientId).where(ofKey(key)).executeTakeFirst()
  return result.numDeletedRows > 0n
}
