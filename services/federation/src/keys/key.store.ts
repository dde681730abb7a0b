import { type Db, prepared } from '@rookery/database'
import { query } from '../database/query.ts'
import type { FederationTables } from '../database/schema.ts'

/** The account that stands for the server itself. */
export const SERVER = '0'

/** An account's key pair; the private key is encrypted. */
export const readKey = prepared('keys.read', ({ accountId }: { accountId: string }) =>
  query.selectFrom('actorKey').select(['accountId', 'username', 'publicKeyPem', 'privateKey']).where('accountId', '=', accountId),
)

type NewKey = { accountId: string; username: string; publicKeyPem: string; privateKey: Buffer; createdAt: Date }

/** Keeps a key where the account has none: of two processes that make one, the first counts. */
export const addKey = async (db: Db<FederationTables>, key: NewKey): Promise<void> => {
  await db
    .insertInto('actorKey')
    .values(key)
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute()
}

/** Puts a key in place of the account's. */
export const replaceKey = async (db: Db<FederationTables>, key: NewKey): Promise<void> => {
  const { accountId: _, ...rest } = key
  await db
    .insertInto('actorKey')
    .values(key)
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(rest))
    .execute()
}

/** The secrets that encrypt keys, of those that no setting gives. */
export const readServerSecrets = prepared('keys.secrets', () => query.selectFrom('serverKey').select(['name', 'value']).orderBy('name'))

/** Keeps a secret where there is none of its name. */
export const addServerSecret = async (db: Db<FederationTables>, name: string, value: Buffer): Promise<void> => {
  await db
    .insertInto('serverKey')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}
