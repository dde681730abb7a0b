import { type Db, prepared } from '@rookery/database'
import { sql } from 'kysely'
import { query } from '../database/query.ts'
import type { FederationTables } from '../database/schema.ts'
import type { SignatureKind } from '../signatures/index.ts'

/** The state of deliveries to a host. */
export type Host = {
  domain: string
  failures: number
  failingSince: Date | null
  nextTryAt: Date | null
  signs: SignatureKind
  sendingUntil: Date | null
}

const COLUMNS = ['domain', 'failures', 'failingSince', 'nextTryAt', 'signs', 'sendingUntil'] as const

export const readHost = prepared('hosts.read', ({ domain }: { domain: string }) =>
  query.selectFrom('host').select(COLUMNS).where('domain', '=', domain),
)

/** Takes the lease on a host's deliveries; returns no row if another job holds it. */
export const claimHost = prepared(
  'hosts.claim',
  (given: { domain: string; now: Date; until: Date }) =>
    sql<Host>`
    insert into host (domain, sending_until) values (${given.domain}, ${given.until})
    on conflict (domain) do update set sending_until = excluded.sending_until
      where host.sending_until is null or host.sending_until <= ${given.now}
    returning domain, failures, failing_since, next_try_at, signs, sending_until`,
)

/** Renews the lease; null releases it. */
export const holdHost = prepared(
  'hosts.hold',
  (given: { domain: string; until: Date | null }) => sql`update host set sending_until = ${given.until} where domain = ${given.domain}`,
)

/** Records a success: clears the failures of a host, and adds its server to the peers. */
export const noteTaken = prepared(
  'hosts.note-taken',
  ({ domain, name, now }: { domain: string; name: string; now: Date }) =>
    sql`
    with well as (
      update host set failures = 0, failing_since = null, next_try_at = null where domain = ${domain} and failures > 0)
    insert into peer (domain, first_seen_at) values (${name}, ${now}) on conflict do nothing`,
)

export const noteFailure = prepared(
  'hosts.note-failure',
  (given: { domain: string; now: Date; nextTryAt: Date }) =>
    sql`
    update host set failures = failures + 1, failing_since = coalesce(failing_since, ${given.now}), next_try_at = ${given.nextTryAt}
    where domain = ${given.domain}`,
)

/** Records the kind of signatures that a host verifies. */
export const noteSigns = async (db: Db<FederationTables>, domain: string, signs: SignatureKind): Promise<void> => {
  const values = { domain, signs, failingSince: null, nextTryAt: null, sendingUntil: null }
  await db
    .insertInto('host')
    .values(values)
    .onConflict((conflict) => conflict.column('domain').doUpdateSet({ signs }).where('host.signs', '!=', signs))
    .execute()
}

/** Clears the failures of a host, so that it is retried now. */
export const forgetFailures = async (db: Db<FederationTables>, domain: string): Promise<void> => {
  await db.updateTable('host').set({ failures: 0, failingSince: null, nextTryAt: null }).where('domain', '=', domain).execute()
}

/** The number of failing hosts. */
export const countFailing = prepared(
  'hosts.count-failing',
  () => sql<{ count: number }>`select count(*)::int count from host where failing_since is not null`,
)
