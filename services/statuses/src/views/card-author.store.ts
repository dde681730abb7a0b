import { onceFound, prepared } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { isNotSuspended, isThere } from '../audience/index.ts'

/** The authors that pages name, and for each page the domains that cover its host, separated by spaces. */
type Claims = { usernames: readonly string[]; domains: readonly (string | null)[]; hosts: readonly string[] }

/** The local or remote account that a page names, if it lists a domain of the page in its attribution domains. */
const claimed = (isFromThere: RawBuilder<unknown>) => sql`
  select id, version from account where lower(username) = claim.username and ${isFromThere}
    and ${onceFound(sql`attribution_domains && string_to_array(claim.hosts, ' ') and closed_at is null and ${isThere()} and ${isNotSuspended()}`)}`

/**
 * The accounts named as authors of pages that confirm it: they list the domain of the page, or a parent domain, in their attribution domains
 * (beyond-the-spec 2.2, attribution_domains). `place` is the position of the claim, from 1.
 */
export const readCardAuthors = prepared(
  'views.card-authors',
  ({ usernames, domains, hosts }: Claims) => sql<{ place: number; id: string; version: number }>`
    select place::int, a.id, a.version
    from unnest(${usernames}::text[], ${domains}::text[], ${hosts}::text[]) with ordinality as claim (username, domain, hosts, place)
    cross join lateral (
      ${claimed(sql`domain is null and claim.domain is null`)}
      union all ${claimed(sql`domain = claim.domain`)}
      offset 0) a`,
)
