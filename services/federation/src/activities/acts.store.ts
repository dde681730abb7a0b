import { prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { FederationTables } from '../database/schema.ts'

/**
 * What an activity did that another one may name: a follow, like or block, by the id it had on the wire, and a deletion of what had not come
 * yet. The account did it, the subject is the account or status it was done to; 0 of a deletion.
 */
type ActKind = 'follow' | 'like' | 'block' | 'delete'
export type Act = { uri: string; kind: ActKind; accountId: string; subjectId: string }

/** The act that has this id on the wire. */
export const readActByUri = prepared(
  'acts.by-uri',
  ({ uri }: { uri: string }) =>
    sql<Act & { createdAt: Date }>`select uri, kind, account_id, subject_id, created_at from act where uri = ${uri}`,
)

/** The id on the wire of what an account did to a subject. */
export const readAct = prepared(
  'acts.read',
  ({ kind, accountId, subjectId }: Omit<Act, 'uri'>) =>
    sql<Act>`
    select uri, kind, account_id, subject_id from act where account_id = ${accountId} and subject_id = ${subjectId} and kind = ${kind} and kind <> 'delete'`,
)

/** Acts to keep, a column each. */
type Columns = {
  uris: readonly string[]
  kinds: readonly string[]
  accountIds: readonly string[]
  subjectIds: readonly string[]
  now: Date
}

/** Keeps the ids on the wire of acts, in place of earlier ones of the kind. One id is that of the first act that had it. */
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

/** Forgets what was undone. */
export const removeAct = async (tx: Tx<FederationTables>, { kind, accountId, subjectId }: Omit<Act, 'uri'>): Promise<void> => {
  await sql`delete from act where kind = ${kind} and account_id = ${accountId} and subject_id = ${subjectId}`.execute(tx)
}

/** Forgets some of the deletions from before a moment. */
export const pruneDeletions = prepared(
  'acts.prune',
  ({ before }: { before: Date }) => sql<{ uri: string }>`
    delete from act where uri = any(array(select uri from act where kind = 'delete' and created_at < ${before} order by created_at limit 1000))
    returning uri`,
)
