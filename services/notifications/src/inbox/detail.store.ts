import { NotificationDetail } from '@rookery/contracts/common'
import { anyOf, type Db, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'
import { hasDetail } from './detail.rules.ts'

/** The details of these notifications, by id. No statement if none has any. */
export const readDetails = async (
  db: Db<NotificationsTables>,
  rows: readonly { id: string; type: string }[],
): Promise<ReadonlyMap<string, NotificationDetail>> => {
  const ids = rows.filter(({ type }) => hasDetail(type)).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const found = await db.selectFrom('notification').select(['id', 'detail']).where('id', '=', anyOf(ids)).execute()
  return new Map(found.flatMap(({ id, detail }) => (detail ? [[id, NotificationDetail.decode(detail)] as const] : [])))
}

/** Locks the notification of an act of staff on an account until the transaction ends; undefined if there is none. */
export const lockWarning = (
  tx: Tx<NotificationsTables>,
  { accountId, actId }: { accountId: string; actId: string },
): Promise<{ id: string; detail: Buffer | null } | undefined> => {
  const key = { recipientId: accountId, actorId: accountId, type: 'moderation_warning', reportId: actId } as const
  const query = tx
    .selectFrom('notification')
    .select(['id', 'detail'])
    .where((eb) => eb.and(key))
  return query.where('statusId', 'is', null).limit(sql.lit(1)).forUpdate().executeTakeFirst()
}

/** Replaces the detail of a notification. */
export const writeDetail = async (tx: Tx<NotificationsTables>, id: string, detail: NotificationDetail): Promise<void> => {
  const encoded = Buffer.from(NotificationDetail.encode(detail).finish())
  await tx.updateTable('notification').set({ detail: encoded }).where('id', '=', id).execute()
}
