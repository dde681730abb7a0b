import { anyOf, type Db, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'
import type { Wish } from './due-mails.rules.ts'
import { DEFAULT_CHOICES, MAIL_KINDS, type MailChoices, type MailKind } from './mail-kinds.ts'

/** Maximum number of digests that one transaction claims. */
const CHUNK = 500

/** Reads an account's choices; undefined if it never made any. */
export const readChoices = (db: Db<AuthTables>, accountId: string): Promise<MailChoices | undefined> =>
  db.selectFrom('mailPreference').select(MAIL_KINDS).where('accountId', '=', accountId).executeTakeFirst()

/** Changes some of an account's choices. */
export const writeChoices = async (db: Db<AuthTables>, accountId: string, choices: Partial<MailChoices>): Promise<void> => {
  await db
    .insertInto('mailPreference')
    .values({ accountId, ...DEFAULT_CHOICES, ...choices })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(choices))
    .execute()
}

/** Unsubscribes an account from a kind of mail, even if it has no choices yet. Does nothing if the login does not exist. */
export const endChoice = async (db: Db<AuthTables>, accountId: string, kind: MailKind): Promise<void> => {
  const choices = MAIL_KINDS.map((each) => (each === kind ? false : DEFAULT_CHOICES[each]))
  await sql`
    insert into mail_preference (account_id, ${sql.join(MAIL_KINDS.map((each) => sql.ref(each)))})
    select account_id, ${sql.join(choices.map((choice) => sql.lit(choice)))} from login where account_id = ${accountId}
    on conflict (account_id) do update set ${sql.ref(kind)} = false`.execute(db)
}

/** Reads and locks the mail preferences of these accounts. */
export const lockWishes = (tx: Tx<AuthTables>, accountIds: readonly string[]): Promise<Wish[]> =>
  tx
    .selectFrom('mailPreference')
    .select(['accountId', ...MAIL_KINDS, 'hour', 'sentInHour'])
    .where('accountId', '=', anyOf(accountIds))
    .orderBy('accountId')
    .forUpdate()
    .execute()

/** Writes the numbers of mails in an hour. */
export const writeCounts = async (tx: Tx<AuthTables>, counted: readonly Wish[]): Promise<void> => {
  await sql`
    update mail_preference preference set hour = counted.hour, sent_in_hour = counted.sent_in_hour
      from unnest(
        ${counted.map(({ accountId }) => accountId)}::bigint[],
        ${counted.map(({ hour }) => hour)}::int[],
        ${counted.map(({ sentInHour }) => sentInHour)}::int[]) as counted (account_id, hour, sent_in_hour)
     where preference.account_id = counted.account_id`.execute(tx)
}

/**
 * Marks digests as due for at most `CHUNK` accounts that want one, were last seen before `seenBefore`, and had none due after `dueBefore`. Returns
 * the accounts, and when their previous digest was due.
 */
export const claimDigests = async (
  tx: Tx<AuthTables>,
  { seenBefore, dueBefore, now }: { seenBefore: string; dueBefore: Date; now: Date },
): Promise<{ accountId: string; lastDueAt: Date | null }[]> => {
  const { rows } = await sql<{ accountId: string; lastDueAt: Date | null }>`
    with due as (
      select preference.account_id, digest_due_at from mail_preference preference join login on login.account_id = preference.account_id
       where digest and (digest_due_at is null or digest_due_at <= ${dueBefore}::timestamptz)
         and coalesce(last_seen_on, (login.created_at at time zone 'UTC')::date) < ${seenBefore}::date
       order by digest_due_at nulls first, preference.account_id limit ${sql.lit(CHUNK)} for update of preference skip locked
    )
    update mail_preference preference set digest_due_at = ${now}::timestamptz from due
     where preference.account_id = due.account_id
    returning preference.account_id, due.digest_due_at last_due_at`.execute(tx)
  return rows
}

/** Whether `claimDigests` may find more after it returned this many. */
export const isFullClaim = (count: number): boolean => count === CHUNK
