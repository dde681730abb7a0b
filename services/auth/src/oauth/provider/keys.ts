import { createHmac } from 'node:crypto'
import { type Database, transact } from '@rookery/database'
import type { Secret } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { makeSecret } from '../../secrets.ts'
import { KeyReader, KeyWriter } from './key.store.ts'

/** The keys of cookies and of forms: the first signs, all verify. */
export type Keys = { cookies: readonly string[]; forms: readonly string[] }

const parse = (stored: ReadonlyMap<string, string>): Keys | undefined => {
  const [cookies, forms] = [stored.get('cookies'), stored.get('forms')]
  return cookies && forms ? { cookies: [cookies], forms: [forms] } : undefined
}

/** A key for forms out of one for cookies: what is signed for the one must not pass for the other. */
const formKey = (cookieKey: string) => createHmac('sha256', cookieKey).update('forms').digest('base64url')

/** The keys all replicas share: those of the settings, or those stored in the database. */
export const loadKeys = async (database: Database<AuthTables>, configured: readonly Secret[]): Promise<Keys> => {
  const cookies = configured.map((key) => key.reveal())
  return cookies.length > 0 ? { cookies, forms: cookies.map(formKey) } : storedKeys(database)
}

/** The keys in the database; the first process to need them generates them. */
const storedKeys = async (database: Database<AuthTables>): Promise<Keys> => {
  const reader = new KeyReader(database.db)
  const found = parse(await reader.all())
  if (found) return found
  await transact(database.db, (tx) => new KeyWriter(tx).add({ cookies: makeSecret(), forms: makeSecret() }))
  const stored = parse(await reader.all())
  if (!stored) throw new Error('The keys that were just stored are missing.')
  return stored
}

/** A secret that all replicas share and that is kept under a name in the database, if it was ever made. */
export const findSecret = async (database: Database<AuthTables>, name: string): Promise<string | undefined> =>
  (await new KeyReader(database.db).all()).get(name)

/** The same; the first process to need it makes it. */
export const storedSecret = async (database: Database<AuthTables>, name: string): Promise<string> => {
  const found = await findSecret(database, name)
  if (found) return found
  await transact(database.db, (tx) => new KeyWriter(tx).add({ [name]: makeSecret() }))
  const stored = await findSecret(database, name)
  if (!stored) throw new Error('The secret that was just stored is missing.')
  return stored
}
