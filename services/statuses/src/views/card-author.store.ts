import { onceFound, prepared } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { isNotSuspended, isThere } from '../audience/index.ts'

/** Who wrote pages, as these say, and for each page the domains that cover its address, with spaces between. */
type Claims = { usernames: readonly string[]; domains: readonly (string | null)[]; hosts: readonly string[] }

/** The account of a claim among those of this server, or of another one, where it names a domain of the page as its own. */
const claimed = (isFromThere: RawBuilder<unknown>) => sql`
  select id, version from account where lower(username) = claim.username and ${isFromThere}
    and ${onceFound(sql`attribution_domains && string_to_array(claim.hosts, ' ') and closed_at is null and ${isThere()} and ${isNotSuspended()}`)}`

/**
 * Of those who are said to have written pages the accounts that say so too: they name the domain of the page, or one above it, as theirs
 * (beyond-the-spec 2.2, attribution_domains). `place` is that of the claim, from 1.
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
