import { prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { FederationTables } from '../database/schema.ts'

/**
 * The effect of an activity that a later one may refer to: a follow, like or block by its activity id, or a deletion that arrived before
 * its object. The account acted on the subject, an account or status; the subject of a deletion is 0.
 */
type ActKind = 'follow' | 'like' | 'block' | 'delete'
export type Act = { uri: string; kind: ActKind; accountId: string; subjectId: string }

/** The act with this activity id. */
export const readActByUri = prepared(
  'acts.by-uri',
  ({ uri }: { uri: string }) =>
    sql<Act & { createdAt: Date }>`select uri, kind, account_id, subject_id, created_at from act where uri = ${uri}`,
)

/** The activity id of an account's act on a subject. */
export const readAct = prepared(
  'acts.read',
  ({ kind, accountId, subjectId }: Omit<Act, 'uri'>) =>
    sql<Act>`
    select uri, kind, account_id, subject_id from act where account_id = ${accountId} and subject_id = ${subjectId} and kind = ${kind} and kind <> 'delete'`,
)

/** Acts to store, one array per column. */
type Columns = {
  uris: readonly string[]
  kinds: readonly string[]
  accountIds: readonly string[]
  subjectIds: readonly string[]
  now: Date
}

/**
 * Stores acts, replacing earlier ones of the same kind between the same account and subject. An id that is already stored keeps its first
 * act.
 */
export const writeActs = prepared('acts.write', (given: Columns) => {
  const columns = sql`${given.uris}::text[], ${given.kinds}::text[], ${given.accountIds}::bigint[], ${given.subjectIds}::bigint[]`
  return sql`
    with given as materialized (select * from unnest(${columns}) given (uri, kind, account_id, subject_id)),
    replaced as (
      delete from act where uri = any(array(
        select before.uri from given cross join lateral (
          select uri from act where account_id = given.account_id and subject_id = given.subject_id and kind = given.kind and kind <> 'delete' offset 0) before
        where before.uri <> given.uri))
      returning uri)
    insert into act (uri, kind, account_id, subject_id, created_at)
    select uri, kind, account_id, subject_id, ${given.now}::timestamptz from given where (select count(*) from replaced) >= 0
    on conflict do nothing`
})

/** Deletes an undone act. */
export const removeAct = async (tx: Tx<FederationTables>, { kind, accountId, subjectId }: Omit<Act, 'uri'>): Promise<void> => {
  await sql`delete from act where kind = ${kind} and account_id = ${accountId} and subject_id = ${subjectId}`.execute(tx)
}

/** Deletes up to 1000 deletions from before a time. */
export const pruneDeletions = prepared(
  'acts.prune',
  ({ before }: { before: Date }) => sql<{ uri: string }>`
    delete from act where uri = any(array(select uri from act where kind = 'delete' and created_at < ${before} order by created_at limit 1000))
    returning uri`,
)
