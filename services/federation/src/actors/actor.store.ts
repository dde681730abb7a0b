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

/** An actor with what only this slice needs. */
export type StoredActor = RemoteActor & {
  readonly document: string
  readonly handleDomain: string
  readonly keyCheckedAt: Date | null
  readonly proofKeyId: string | null
  readonly proofPublicKeyPem: string | null
}

export type ActorRow = Omit<StoredActor, 'accountId'> & { accountId: string | null }

/** The columns of an `ActorRow`, for statements of others. */
export const actorColumns = sql.join(COLUMNS.map((name) => sql.ref(name)))

/** The actor with the one of their keys that has this id. */
export const withKey = (actor: StoredActor, keyId: string): StoredActor =>
  actor.proofKeyId === keyId ? { ...actor, keyId, publicKeyPem: actor.proofPublicKeyPem ?? '' } : actor

/** A row as the actor it is. */
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

/** Whose key for proofs it is: of few, so it is asked only where no other key has the id. */
export const readByProofKeyId = prepared('actors.by-proof-key-id', ({ keyId }: { keyId: string }) =>
  query.selectFrom('remoteActor').select(COLUMNS).where('proofKeyId', '=', keyId).limit(sql.lit(1)),
)

type Written = Omit<
  Insertable<RemoteActorTable>,
  'keyCheckedAt' | 'countsAskedAt' | 'goneAt' | 'workingUntil' | 'accountId' | 'handleDomain'
>

/** Keeps what an actor's document says. An account that was opened stays theirs. */
export const writeActor = async (db: Db<FederationTables>, actor: Written): Promise<void> => {
  const { uri: _, ...rest } = actor
  await db
    .insertInto('remoteActor')
    .values({ ...actor, accountId: null, handleDomain: '', keyCheckedAt: null, countsAskedAt: null, goneAt: null, workingUntil: null })
    .onConflict((conflict) => conflict.column('uri').doUpdateSet({ ...rest, goneAt: null }))
    .execute()
}

/** Notes the account that was opened for an actor; one that had it is another uri's past. */
export const writeAccountId = async (
  tx: Tx<FederationTables>,
  { uri, accountId, handleDomain }: { uri: string; accountId: string; handleDomain: string },
): Promise<void> => {
  await tx.updateTable('remoteActor').set({ accountId: null }).where('accountId', '=', accountId).where('uri', '!=', uri).execute()
  await tx.updateTable('remoteActor').set({ accountId, handleDomain, document: '' }).where('uri', '=', uri).execute()
}

type Claim = { uri: string; now: Date; before: Date }

/** Notes a moment of an actor, unless a later one than `before` is noted. */
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

/** Notes that a signature did not fit the key, unless it was noted after `before`: the actor is then to be read again. */
export const claimKeyCheck = claim('keyCheckedAt')

/** Notes that the collections of an actor are to be counted, unless that was noted after `before`. */
export const claimCounts = claim('countsAskedAt')

/** Notes that an actor is gone; nothing is delivered to them any more. */
export const writeGone = async (db: Db<FederationTables>, uri: string, goneAt: Date): Promise<void> => {
  await db.updateTable('remoteActor').set({ goneAt }).where('uri', '=', uri).execute()
}

/** Forgets an actor. */
export const removeActor = async (db: Db<FederationTables>, uri: string): Promise<void> => {
  await db.deleteFrom('remoteActor').where('uri', '=', uri).execute()
}

/** Forgets actors without an account who were read before a moment and of whom nothing waits, some at a time. */
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
