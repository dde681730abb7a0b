import { prepared, sharedQuery } from '@rookery/database'
import { sql } from 'kysely'

type Answer = { isSuspended: boolean; isAllowed: boolean }

/** Whether reports of a server are refused, by the most specific decision of those that cover it. */
export const readReportPolicy = prepared(
  'domain-policy.reports',
  ({ domains }: { domains: readonly string[] }) => sql<{ rejectReports: boolean }>`
    select reject_reports from domain_block where domain = any(${domains}::text[]) order by length(domain) desc limit 1`,
)

/** Reads the decisions of staff about a server, by its domain and those above it (an array of Postgres). */
export const readPolicy = sharedQuery('domain-policy.read', { domains: 'text' }, (given: { domains: string }) => {
  const blocks = sql`select 1 from domain_block where domain = any(${given.domains}::text[]) and severity = 'suspend' offset 0`
  const allows = sql`select 1 from domain_allow where domain = any(${given.domains}::text[]) offset 0`
  return sql<Answer>`select exists (${blocks}) is_suspended, exists (${allows}) is_allowed`
})
