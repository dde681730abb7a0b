import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'

/** The keys of a kind by name, the oldest first. */
export const readServerKeys = (db: Db<NotificationsTables> | Tx<NotificationsTables>, kind: string) =>
  db
    .selectFrom('serverKey')
    .select(['name', 'value'])
    .where(sql`split_part(name, ':', 1)`, '=', kind)
    .orderBy('createdAt')
    .orderBy('name')
    .execute()

/** Locks the keys, so that replicas generate one only once: the second waits for the first and finds its key. */
export const lockServerKeys = async (tx: Tx<NotificationsTables>): Promise<void> => {
  await sql`lock table server_key in share row exclusive mode`.execute(tx)
}

export const addServerKey = async (tx: Tx<NotificationsTables>, name: string, value: Buffer): Promise<void> => {
  await tx.insertInto('serverKey').values({ name, value }).execute()
}
