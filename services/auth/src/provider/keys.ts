import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { type Database, transact } from '@rookery/database'
import type { JWK } from 'oidc-provider'
import type { AuthTables } from '../database/schema.ts'
import { makeSecret } from '../secrets.ts'
import { KeyReader, KeyWriter } from './key.store.ts'

/** The keys of cookies, of forms, and of the ID tokens that the provider wants to be able to sign. */
export type ProviderKeys = { cookies: string; forms: string; signing: JWK }

const makeKeys = async () => {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
  const signing = JSON.stringify({ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' })
  return { cookies: makeSecret(), forms: makeSecret(), signing }
}

const parse = (stored: ReadonlyMap<string, string>): ProviderKeys | undefined => {
  const [cookies, forms, signing] = [stored.get('cookies'), stored.get('forms'), stored.get('signing')]
  return cookies && forms && signing ? { cookies, forms, signing: JSON.parse(signing) } : undefined
}

/** The keys all replicas share; the first to ask makes them. */
export const loadKeys = async (database: Database<AuthTables>): Promise<ProviderKeys> => {
  const reader = new KeyReader(database.db)
  const found = parse(await reader.all())
  if (found) return found
  const made = await makeKeys()
  await transact(database.db, (tx) => new KeyWriter(tx).add(made))
  const kept = parse(await reader.all())
  if (!kept) throw new Error('The keys that were just stored are not there.')
  return kept
}
