import { createHmac } from 'node:crypto'
import { type Database, transact } from '@rookery/database'
import type { Secret } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { makeSecret } from '../../secrets.ts'
import { KeyReader, KeyWriter } from './key.store.ts'

/** The signing keys of cookies and forms: the first signs, all verify. */
export type Keys = { cookies: readonly string[]; forms: readonly string[] }

const parse = (stored: ReadonlyMap<string, string>): Keys | undefined => {
  const [cookies, forms] = [stored.get('cookies'), stored.get('forms')]
  return cookies && forms ? { cookies: [cookies], forms: [forms] } : undefined
}

/** Derives the key of forms from that of cookies, so that a signature for one is not valid for the other. */
const formKey = (cookieKey: string) => createHmac('sha256', cookieKey).update('forms').digest('base64url')

/** The keys shared by all replicas: those of the settings, or those stored in the database. */
export const loadKeys = async (database: Database<AuthTables>, configured: readonly Secret[]): Promise<Keys> => {
  const cookies = configured.map((key) => key.reveal())
  return cookies.length > 0 ? { cookies, forms: cookies.map(formKey) } : storedKeys(database)
}

/** The keys in the database; generated on first use. */
const storedKeys = async (database: Database<AuthTables>): Promise<Keys> => {
  const reader = new KeyReader(database.db)
  const found = parse(await reader.all())
  if (found) return found
  await transact(database.db, (tx) => new KeyWriter(tx).add({ cookies: makeSecret(), forms: makeSecret() }))
  const stored = parse(await reader.all())
  if (!stored) throw new Error('The keys that were just stored are missing.')
  return stored
}

/** A named secret in the database, shared by all replicas; undefined if it was never generated. */
export const findSecret = async (database: Database<AuthTables>, name: string): Promise<string | undefined> =>
  (await new KeyReader(database.db).all()).get(name)

/** A named secret in the database, generated on first use. */
export const storedSecret = async (database: Database<AuthTables>, name: string): Promise<string> => {
  const found = await findSecret(database, name)
  if (found) return found
  await transact(database.db, (tx) => new KeyWriter(tx).add({ [name]: makeSecret() }))
  const stored = await findSecret(database, name)
  if (!stored) throw new Error('The secret that was just stored is missing.')
  return stored
}
