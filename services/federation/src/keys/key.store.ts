import { type Db, prepared } from '@rookery/database'
import { query } from '../database/query.ts'
import type { FederationTables } from '../database/schema.ts'

/** The account id of the server itself. */
export const SERVER = '0'

/** An account's key pair; the private key is encrypted. */
export const readKey = prepared('keys.read', ({ accountId }: { accountId: string }) =>
  query.selectFrom('actorKey').select(['accountId', 'username', 'publicKeyPem', 'privateKey']).where('accountId', '=', accountId),
)

type NewKey = { accountId: string; username: string; publicKeyPem: string; privateKey: Buffer; createdAt: Date }

/** Stores a key if the account has none: if two processes generate one, the first wins. */
export const addKey = async (db: Db<FederationTables>, key: NewKey): Promise<void> => {
  await db
    .insertInto('actorKey')
    .values(key)
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute()
}

/** Replaces the key of an account. */
export const replaceKey = async (db: Db<FederationTables>, key: NewKey): Promise<void> => {
  const { accountId: _, ...rest } = key
  await db
    .insertInto('actorKey')
    .values(key)
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(rest))
    .execute()
}

/** The generated secrets that encrypt keys. */
export const readServerSecrets = prepared('keys.secrets', () => query.selectFrom('serverKey').select(['name', 'value']).orderBy('name'))

/** Stores a secret unless there is one of its name. */
export const addServerSecret = async (db: Db<FederationTables>, name: string, value: Buffer): Promise<void> => {
  await db
    .insertInto('serverKey')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}
