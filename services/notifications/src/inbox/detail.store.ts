import { NotificationDetail } from '@rookery/contracts/common'
import { anyOf, type Db } from '@rookery/database'
import type { NotificationsTables } from '../database/schema.ts'
import { hasDetail } from './detail.rules.ts'

/** The details of those of these notifications that have one, by id. No statement where none has. */
export const readDetails = async (
  db: Db<NotificationsTables>,
  rows: readonly { id: string; type: string }[],
): Promise<ReadonlyMap<string, NotificationDetail>> => {
  const ids = rows.filter(({ type }) => hasDetail(type)).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const found = await db.selectFrom('notification').select(['id', 'detail']).where('id', '=', anyOf(ids)).execute()
  return new Map(found.flatMap(({ id, detail }) => (detail ? [[id, NotificationDetail.decode(detail)] as const] : [])))
}
