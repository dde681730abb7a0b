import { type RawBuilder, sql } from 'kysely'
import { isReachable } from '../../audience/index.ts'
import type { Naming } from './named-people.ts'

/** A naming as a statement takes it: lists, or what Postgres reads as such. */
type NamingValues = Readonly<Record<Exclude<keyof Naming, 'handles'>, unknown>>

/**
 * A query of those of the people a text names who are known here and may be mentioned: id, username, domain, uri, url, and the handle by which
 * the naming lists them.
 */
export const mentionable = ({ usernames, remoteUsernames, remoteDomains }: NamingValues): RawBuilder<unknown> => sql`
  select id, username, domain, uri, url, lower(username) handle from account
  where lower(username) = any(${usernames}::text[]) and domain is null and ${isReachable()}
  union all
  select a.id, a.username, a.domain, a.uri, a.url, named.username || '@' || named.domain
  from unnest(${remoteUsernames}::text[], ${remoteDomains}::text[]) as named (username, domain)
  cross join lateral (
    select id, username, domain, uri, url from account
    where lower(username) = named.username and domain = named.domain and ${isReachable()} offset 0) a`

/** The place of a handle among those a text names, for an order. */
export const placeOf = (handle: RawBuilder<unknown>, { handles }: { handles: unknown }): RawBuilder<unknown> =>
  sql`array_position(${handles}::text[], ${handle})`

/** The server, uri and url of someone of another server, as JSON; null for people of this server. Takes a row with domain, uri and url. */
export const originOf = (row: string): RawBuilder<unknown> => {
  const [domain, uri, url] = ['domain', 'uri', 'url'].map((column) => sql.raw(`${row}.${column}`))
  return sql`case when ${domain} is not null then json_build_object('domain', ${domain}, 'uri', ${uri}, 'url', coalesce(${url}, ${uri})) end`
}
