import { type Db, prepared, sharedQuery, type Tx } from '@rookery/database'
import { type Insertable, sql } from 'kysely'
import type { RemoteActor } from '../contract.ts'
import { query } from '../database/query.ts'
import type { FederationTables } from '../database/schema.ts'
import type { RemoteActorTable } from '../database/tables/other-servers.ts'

const COLUMNS = [
  'uri',
  'accountId',
  'domain',
  'handleDomain',
  'inbox',
  'sharedInbox',
  'followersUri',
  'featuredUri',
  'outboxUri',
  'keyId',
  'publicKeyPem',
  'proofKeyId',
  'proofPublicKeyPem',
  'document',
  'fetchedAt',
  'keyCheckedAt',
  'goneAt',
] as const

/** An actor with the fields that only this slice needs. */
export type StoredActor = RemoteActor & {
  readonly document: string
  readonly handleDomain: string
  readonly keyCheckedAt: Date | null
  readonly proofKeyId: string | null
  readonly proofPublicKeyPem: string | null
}

export type ActorRow = Omit<StoredActor, 'accountId'> & { accountId: string | null }

/** The columns of an `ActorRow`, for statements of other stores. */
export const actorColumns = sql.join(COLUMNS.map((name) => sql.ref(name)))

/** The actor with the key that has this id as its public key. */
export const withKey = (actor: StoredActor, keyId: string): StoredActor =>
  actor.proofKeyId === keyId ? { ...actor, keyId, publicKeyPem: actor.proofPublicKeyPem ?? '' } : actor

/** Converts a row to an actor. */
export const actorOf = ({ accountId, ...row }: ActorRow): StoredActor => ({ ...row, accountId: accountId ?? '' })

export const readByUris = prepared('actors.by-uris', ({ uris }: { uris: readonly string[] }) =>
  query.selectFrom('remoteActor').select(COLUMNS).where('uri', '=', sql<string>`any(${uris}::text[])`),
)

export const readByAccountIds = prepared('actors.by-account-ids', ({ accountIds }: { accountIds: readonly string[] }) =>
  query.selectFrom('remoteActor').select(COLUMNS).where('accountId', '=', sql<string>`any(${accountIds}::bigint[])`),
)

export const readByKeyId = sharedQuery('actors.by-key-id', { keyId: 'text' }, ({ keyId }: { keyId: string }) =>
  query.selectFrom('remoteActor').select(COLUMNS).where('keyId', '=', keyId).limit(sql.lit(1)),
)

/** Finds the actor with this proof key. Few actors have one, so this is queried only if no main key has the id. */
export const readByProofKeyId = prepared('actors.by-proof-key-id', ({ keyId }: { keyId: string }) =>
  query.selectFrom('remoteActor').select(COLUMNS).where('proofKeyId', '=', keyId).limit(sql.lit(1)),
)

type Written = Omit<
  Insertable<RemoteActorTable>,
  'keyCheckedAt' | 'countsAskedAt' | 'goneAt' | 'workingUntil' | 'accountId' | 'handleDomain'
>

/** Stores an actor's document. An existing account is kept. */
export const writeActor = async (db: Db<FederationTables>, actor: Written): Promise<void> => {
  const { uri: _, ...rest } = actor
  await db
    .insertInto('remoteActor')
    .values({ ...actor, accountId: null, handleDomain: '', keyCheckedAt: null, countsAskedAt: null, goneAt: null, workingUntil: null })
    .onConflict((conflict) => conflict.column('uri').doUpdateSet({ ...rest, goneAt: null }))
    .execute()
}

/** Links an actor to their account, and unlinks another uri that had the account before. */
export const writeAccountId = async (
  tx: Tx<FederationTables>,
  { uri, accountId, handleDomain }: { uri: string; accountId: string; handleDomain: string },
): Promise<void> => {
  await tx.updateTable('remoteActor').set({ accountId: null }).where('accountId', '=', accountId).where('uri', '!=', uri).execute()
  await tx.updateTable('remoteActor').set({ accountId, handleDomain, document: '' }).where('uri', '=', uri).execute()
}

type Claim = { uri: string; now: Date; before: Date }

/** Sets a timestamp of an actor, unless it is later than `before`. Returns whether it was set. */
const claim =
  (column: 'keyCheckedAt' | 'countsAskedAt') =>
  async (db: Db<FederationTables>, { uri, now, before }: Claim): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('remoteActor')
      .set({ [column]: now })
      .where('uri', '=', uri)
      .where((eb) => eb.or([eb(column, 'is', null), eb(column, '<=', before)]))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

/**
 * Claims the check of a key that a signature did not match, unless one was claimed after `before`: the caller then fetches the actor again.
 */
export const claimKeyCheck = claim('keyCheckedAt')

/** Claims the count of an actor's collections, unless one was claimed after `before`. */
export const claimCounts = claim('countsAskedAt')

/** Marks an actor as gone, which ends deliveries to them. */
export const writeGone = async (db: Db<FederationTables>, uri: string, goneAt: Date): Promise<void> => {
  await db.updateTable('remoteActor').set({ goneAt }).where('uri', '=', uri).execute()
}

/** Deletes an actor. */
export const removeActor = async (db: Db<FederationTables>, uri: string): Promise<void> => {
  await db.deleteFrom('remoteActor').where('uri', '=', uri).execute()
}

/** Deletes up to 1000 actors without an account or waiting activities that were fetched before a time. */
export const pruneActors = prepared(
  'actors.prune',
  ({ before }: { before: Date }) =>
    sql<{ uri: string }>`
    delete from remote_actor where uri = any(array(
      select uri from remote_actor actor
      where account_id is null and fetched_at < ${before} and not exists (
        select 1 from received_activity where actor_uri = actor.uri and done_at is null and failed_at is null)
      order by fetched_at limit 1000)) returning uri`,
)
