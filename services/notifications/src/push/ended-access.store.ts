import { anyOf, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'
import type { EndedAccessTable } from '../database/tables/ended-access.ts'

const LOCK = 4715
/** Tokens and accounts share this many locks, so that a batch takes few. */
const SLOTS = 64
/** Longer than any request takes. */
const KEPT_MILLISECONDS = 24 * 3600 * 1000
/** Rows deleted per statement. */
const CHUNK = 1000

type Kind = EndedAccessTable['kind']

const slotsOf = (ids: readonly string[]) => [...new Set(ids.map((id) => Number(BigInt(id) % BigInt(SLOTS))))].sort((a, b) => a - b)

/** Blocks new subscriptions of these tokens and accounts until the transaction ends, and waits for those under way. */
export const holdBackSubscriptions = async (tx: Tx<NotificationsTables>, ids: readonly string[]): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${LOCK}::int, slot) from unnest(${slotsOf(ids)}::int[]) slot`.execute(tx)
}

/** Records ended tokens, or logins of accounts, and deletes old records. */
export const noteEnded = async (tx: Tx<NotificationsTables>, kind: Kind, ids: readonly string[], now: number): Promise<void> => {
  await sql`
    insert into ended_access (kind, id, ended_at)
    select ${kind}, id, ${new Date(now)}::timestamptz from unnest(${[...ids]}::bigint[]) id
    on conflict (kind, id) do update set ended_at = excluded.ended_at`.execute(tx)
  await sql`
    delete from ended_access where ctid = any(array(
      select ctid from ended_access where ended_at < ${new Date(now - KEPT_MILLISECONDS)}::timestamptz
       order by ended_at limit ${sql.lit(CHUNK)} for update skip locked))`.execute(tx)
}

/** Deletes the records of logins that are active again. */
export const noteResumed = async (tx: Tx<NotificationsTables>, accountIds: readonly string[]): Promise<void> => {
  await tx.deleteFrom('endedAccess').where('kind', '=', 'login').where('id', '=', anyOf(accountIds)).execute()
}

/** Which of a token and its account's login have ended. Waits for transactions that end them, and blocks new ones until this one ends. */
export const readEnded = async (
  tx: Tx<NotificationsTables>,
  { tokenId, accountId }: { tokenId: string; accountId: string },
): Promise<ReadonlySet<Kind>> => {
  await sql`select pg_advisory_xact_lock_shared(${LOCK}::int, slot) from unnest(${slotsOf([tokenId, accountId])}::int[]) slot`.execute(tx)
  const rows = await tx
    .selectFrom('endedAccess')
    .select('kind')
    .where(({ eb, or, and }) =>
      or([and([eb('kind', '=', 'token'), eb('id', '=', tokenId)]), and([eb('kind', '=', 'login'), eb('id', '=', accountId)])]),
    )
    .execute()
  return new Set(rows.map(({ kind }) => kind))
}
