import { prepared, sharedQuery } from '@rookery/database'
import { sql } from 'kysely'

type Answer = { isSuspended: boolean; isAllowed: boolean }

/** Whether reports of a server are rejected, by the most specific block that covers it. */
export const readReportPolicy = prepared(
  'domain-policy.reports',
  ({ domains }: { domains: readonly string[] }) => sql<{ rejectReports: boolean }>`
    select reject_reports from domain_block where domain = any(${domains}::text[]) order by length(domain) desc limit 1`,
)

/** Reads whether a server is suspended or allowed, by its domain and parent domains (as a Postgres array literal). */
export const readPolicy = sharedQuery('domain-policy.read', { domains: 'text' }, (given: { domains: string }) => {
  // The block of the most specific domain counts.
  const severity = sql`select severity from domain_block where domain = any(${given.domains}::text[]) order by length(domain) desc limit 1`
  const allows = sql`select 1 from domain_allow where domain = any(${given.domains}::text[]) offset 0`
  return sql<Answer>`select coalesce((${severity}) = 'suspend', false) is_suspended, exists (${allows}) is_allowed`
})
