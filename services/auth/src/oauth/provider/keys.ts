import { createHmac, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { type Database, transact } from '@rookery/database'
import type { Secret } from '@rookery/runtime'
import type { JWK } from 'oidc-provider'
import type { AuthTables } from '../../database/schema.ts'
import { makeSecret } from '../../secrets.ts'
import { KeyReader, KeyWriter } from './key.store.ts'

/**
 * The keys of cookies and of forms, of which the first signs and all are believed, and that of the ID tokens which the provider wants to be
 * able to sign.
 */
export type ProviderKeys = { cookies: readonly string[]; forms: readonly string[]; signing: JWK }

const makeKeys = async () => {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
  const signing = JSON.stringify({ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' })
  return { cookies: makeSecret(), forms: makeSecret(), signing }
}

const parse = (stored: ReadonlyMap<string, string>): ProviderKeys | undefined => {
  const [cookies, forms, signing] = [stored.get('cookies'), stored.get('forms'), stored.get('signing')]
  return cookies && forms && signing ? { cookies: [cookies], forms: [forms], signing: JSON.parse(signing) } : undefined
}

/** A key for forms out of one for cookies: what is signed for the one must not pass for the other. */
const formKey = (cookieKey: string) => createHmac('sha256', cookieKey).update('forms').digest('base64url')

/** The keys all replicas share: those that are given, or those kept in the database. */
export const loadKeys = async (database: Database<AuthTables>, given: readonly Secret[]): Promise<ProviderKeys> => {
  const kept = await keptKeys(database)
  const cookies = given.map((key) => key.reveal())
  return cookies.length > 0 ? { ...kept, cookies, forms: cookies.map(formKey) } : kept
}

/** The keys in the database; the first to ask makes them. */
const keptKeys = async (database: Database<AuthTables>): Promise<ProviderKeys> => {
  const reader = new KeyReader(database.db)
  const found = parse(await reader.all())
  if (found) return found
  const made = await makeKeys()
  await transact(database.db, (tx) => new KeyWriter(tx).add(made))
  const kept = parse(await reader.all())
  if (!kept) throw new Error('The keys that were just stored are not there.')
  return kept
}
