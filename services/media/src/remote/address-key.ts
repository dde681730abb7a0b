import { randomBytes } from 'node:crypto'
import { type Database, prepared } from '@rookery/database'
import { sql } from 'kysely'
import type { MediaTables } from '../database/schema.ts'

const NAME = 'addresses'
const BYTES = 32

const readKeys = prepared(
  'server-keys.read',
  ({ name }: { name: string }) => sql<{ value: Buffer }>`select value from server_key where name = ${name}`,
)

/** The key that addresses of files elsewhere are signed with: made once, however many processes ask, and kept for as long as the database. */
export const addressKey = (database: Database<MediaTables>): (() => Promise<Buffer>) => {
  const read = async () => (await readKeys(database, { name: NAME }))[0]?.value
  const make = async () => {
    const query = database.db.insertInto('serverKey').values({ name: NAME, value: randomBytes(BYTES) })
    await query.onConflict((conflict) => conflict.column('name').doNothing()).execute()
    return read()
  }
  let known: Buffer | undefined
  return async () => {
    known ??= (await read()) ?? (await make())
    if (!known) throw new Error('the key of addresses could not be kept')
    return known
  }
}
