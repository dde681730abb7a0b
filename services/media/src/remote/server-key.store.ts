import { type Db, prepared } from '@rookery/database'
import { sql } from 'kysely'
import type { MediaTables } from '../database/schema.ts'

/** A generated key. */
export const readServerKey = prepared(
  'server-keys.read',
  ({ name }: { name: string }) => sql<{ value: Buffer }>`select value from server_key where name = ${name}`,
)

/** Stores a key unless there is one of its name: of two processes, the first one counts. */
export const addServerKey = async (db: Db<MediaTables>, name: string, value: Buffer): Promise<void> => {
  const query = db.insertInto('serverKey').values({ name, value })
  await query.onConflict((conflict) => conflict.column('name').doNothing()).execute()
}
