import type { RoleName } from '@rookery/contracts/permissions'
import { anyOf, type Db, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'

/** Maximum number of recipients. */
const MAX_STAFF = 1000

/** The accounts with one of these roles, at most `MAX_STAFF`. */
export const readStaff = async (db: Db<AuthTables>, roles: readonly RoleName[]): Promise<string[]> => {
  // The condition of the partial index `login_staff`, which Postgres does not conclude from the roles.
  const query = db.selectFrom('login').select('accountId').where('role', '<>', 'user').where('role', 'in', roles)
  return (await query.orderBy('accountId').limit(MAX_STAFF).execute()).map(({ accountId }) => accountId)
}

/** Whether any of these accounts waits for approval. */
export const hasUnapproved = async (db: Db<AuthTables>, accountIds: readonly string[]): Promise<boolean> => {
  const query = db.selectFrom('login').select('accountId').where('accountId', '=', anyOf(accountIds)).where('approvedAt', 'is', null)
  return (await query.limit(1).execute()).length > 0
}

/** Records that mail of a kind is sent now. If some was sent within the interval, records nothing and returns that time. */
export const beginRound = async (
  tx: Tx<AuthTables>,
  { kind, now, interval }: { kind: string; now: number; interval: number },
): Promise<Date | undefined> => {
  const { rows } = await sql<{ kind: string }>`
    insert into staff_mail_round (kind, sent_at) values (${kind}, ${new Date(now)})
    on conflict (kind) do update set sent_at = excluded.sent_at where staff_mail_round.sent_at <= ${new Date(now - interval)}
    returning kind`.execute(tx)
  if (rows.length > 0) return undefined
  return (await tx.selectFrom('staffMailRound').select('sentAt').where('kind', '=', kind).executeTakeFirstOrThrow()).sentAt
}
