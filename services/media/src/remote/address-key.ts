import { randomBytes } from 'node:crypto'
import type { Database } from '@rookery/database'
import type { MediaTables } from '../database/schema.ts'
import { addServerKey, readServerKey } from './server-key.store.ts'

const NAME = 'addresses'
const BYTES = 32

/** The key that signs URLs of remote files: generated once, however many processes ask, and stored in the database. */
export const addressKey = (database: Database<MediaTables>): (() => Promise<Buffer>) => {
  const read = async () => (await readServerKey(database, { name: NAME }))[0]?.value
  const make = async () => {
    await addServerKey(database.db, NAME, randomBytes(BYTES))
    return read()
  }
  let known: Buffer | undefined
  return async () => {
    known ??= (await read()) ?? (await make())
    if (!known) throw new Error('the key of addresses could not be kept')
    return known
  }
}
