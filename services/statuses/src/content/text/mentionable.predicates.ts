import { type RawBuilder, sql } from 'kysely'
import { isReachable } from '../../audience/index.ts'
import type { Naming } from './named-people.ts'

/** A Naming as parameters of a statement: lists, or SQL expressions for them. */
type NamingValues = Readonly<Record<Exclude<keyof Naming, 'handles'>, unknown>>

/** A query of the accounts in a naming that are known here and may be mentioned: id, username, domain, uri, url, and the handle in the naming. */
export const mentionable = ({ usernames, remoteUsernames, remoteDomains }: NamingValues): RawBuilder<unknown> => sql`
  select id, username, domain, uri, url, lower(username) handle from account
  where lower(username) = any(${usernames}::text[]) and domain is null and ${isReachable()}
  union all
  select a.id, a.username, a.domain, a.uri, a.url, named.username || '@' || named.domain
  from unnest(${remoteUsernames}::text[], ${remoteDomains}::text[]) as named (username, domain)
  cross join lateral (
    select id, username, domain, uri, url from account
    where lower(username) = named.username and domain = named.domain and ${isReachable()} offset 0) a`

/** The position of a handle in a naming, for ordering. */
export const placeOf = (handle: RawBuilder<unknown>, { handles }: { handles: unknown }): RawBuilder<unknown> =>
  sql`array_position(${handles}::text[], ${handle})`

/** The domain, uri and url of a remote account, as JSON; null for local accounts. Takes a row with domain, uri and url. */
export const originOf = (row: string): RawBuilder<unknown> => {
  const [domain, uri, url] = ['domain', 'uri', 'url'].map((column) => sql.raw(`${row}.${column}`))
  return sql`case when ${domain} is not null then json_build_object('domain', ${domain}, 'uri', ${uri}, 'url', coalesce(${url}, ${uri})) end`
}
