import { prepared } from '@rookery/database'
import { sql } from 'kysely'

type Answer = { isSuspended: boolean; isAllowed: boolean }

/** What staff decided of a server, by its domain and those above it. */
export const readPolicy = prepared('domain-policy.read', (given: { domains: readonly string[]; listed: readonly string[] }) => {
  const blocks = sql`select 1 from domain_block where domain = any(${given.domains}::text[]) and severity = 'suspend' offset 0`
  const allows = sql`select 1 from domain_allow where domain = any(${given.listed}::text[]) offset 0`
  return sql<Answer>`select exists (${blocks}) is_suspended, exists (${allows}) is_allowed`
})
