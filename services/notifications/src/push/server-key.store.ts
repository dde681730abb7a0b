import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'

/** Keys by name, those of a kind with the oldest first. */
export const readServerKeys = (db: Db<NotificationsTables> | Tx<NotificationsTables>, kind: string) =>
  db
    .selectFrom('serverKey')
    .select(['name', 'value'])
    .where(sql`split_part(name, ':', 1)`, '=', kind)
    .orderBy('createdAt')
    .orderBy('name')
    .execute()

/** Adds a key, once for all replicas: the second one waits for the first and then finds its key. */
export const lockServerKeys = async (tx: Tx<NotificationsTables>): Promise<void> => {
  await sql`lock table server_key in share row exclusive mode`.execute(tx)
}

export const addServerKey = async (tx: Tx<NotificationsTables>, name: string, value: Buffer): Promise<void> => {
  await tx.insertInto('serverKey').values({ name, value }).execute()
}
