import { type Database, type Db, prepared, type Tx } from '@rookery/database'
import { type Selectable, sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import type { RemoteEmojiTable } from '../../database/tables/emoji.ts'

export type RemoteEmojiRow = Selectable<RemoteEmojiTable>

/** Maximum emojis stored per domain: a server can invent any number. */
const MAX_OF_DOMAIN = sql.lit(2000)

/** Inserts or updates emojis of a domain. New ones are inserted only below the domain's limit, which is counted only for them. */
export const writeRemoteEmojis = prepared(
  'remote-emojis.write',
  ({ domain, emojis }: { domain: string; emojis: string }) => sql<{ shortcode: string }>`
    insert into remote_emoji (domain, shortcode, remote_url, url, static_url)
    select ${domain}, given.shortcode, given.remote_url, given.url, given.static_url
    from jsonb_to_recordset(${emojis}::jsonb) as given (shortcode text, remote_url text, url text, static_url text)
    left join lateral (select true is_known from remote_emoji where domain = ${domain} and shortcode = given.shortcode limit 1) as known on true
    where known.is_known or (select count(*) from (select from remote_emoji where domain = ${domain} limit ${MAX_OF_DOMAIN}) as kept) < ${MAX_OF_DOMAIN}
    order by given.shortcode
    on conflict (domain, shortcode) do update
    set remote_url = excluded.remote_url, url = excluded.url, static_url = excluded.static_url
    where remote_emoji.remote_url <> excluded.remote_url
    returning shortcode`,
)

type Page = { domain: string; after: { domain: string; shortcode: string }; limit: number }

/** Emojis of other servers by domain and shortcode, optionally of one domain. */
export const readRemoteEmojis = async (database: Database<StatusesTables>, { domain, after, limit }: Page): Promise<RemoteEmojiRow[]> => {
  let query = database.db
    .selectFrom('remoteEmoji')
    .selectAll()
    .where(sql<boolean>`(domain, shortcode) > (${after.domain}, ${after.shortcode})`)
  if (domain) query = query.where('domain', '=', domain)
  return query.orderBy('domain').orderBy('shortcode').limit(limit).execute()
}

export const readRemoteEmoji = async (
  db: Db<StatusesTables>,
  { domain, shortcode }: Pick<RemoteEmojiRow, 'domain' | 'shortcode'>,
): Promise<RemoteEmojiRow | undefined> =>
  db.selectFrom('remoteEmoji').selectAll().where('domain', '=', domain).where('shortcode', '=', shortcode).executeTakeFirst()

/** The staff's decisions about these domains: whether they hide media. */
export const readMediaDecisions = async (
  { db }: Database<StatusesTables>,
  { domains }: { domains: readonly string[] },
): Promise<Map<string, boolean>> => {
  const rows = await db
    .selectFrom('domainLimit')
    .select(['domain', sql<boolean>`is_suspended or rejects_media`.as('isRejected')])
    .where('domain', '=', sql<string>`any(${[...new Set(domains)]}::text[])`)
    .execute()
  return new Map(rows.map(({ domain, isRejected }) => [domain, isRejected]))
}

/** The host of an emoji's server without port, reversed, so that subdomains share a prefix. */
const HOST = sql.raw("reverse(split_part(domain, ':', 1))")

/** Emojis deleted per statement. */
const AT_A_TIME = 1000

const removeSomeOfDomain = prepared(
  'remote-emojis.remove-domain',
  ({ domain }: { domain: string }) => sql<{ shortcode: string }>`
    delete from remote_emoji where ctid = any(array(
      select ctid from (
        select ctid from remote_emoji where domain = ${domain}
        union all select ctid from remote_emoji where ${HOST} = reverse(${domain}::text)
        union all select ctid from remote_emoji where ${HOST} ~>=~ (reverse(${domain}::text) || '.') and ${HOST} ~<~ (reverse(${domain}::text) || '/')
      ) of_domain limit ${sql.lit(AT_A_TIME)})) returning shortcode`,
)

/** Deletes all emojis of a domain and its subdomains, on any port. */
export const removeEmojisOfDomain = async (database: Database<StatusesTables>, domain: string): Promise<void> => {
  while ((await removeSomeOfDomain(database, { domain })).length > 0);
}

/** Deletes an emoji of another server and returns it. */
export const removeRemoteEmoji = async (
  tx: Tx<StatusesTables>,
  { domain, shortcode }: Pick<RemoteEmojiRow, 'domain' | 'shortcode'>,
): Promise<RemoteEmojiRow | undefined> =>
  tx.deleteFrom('remoteEmoji').where('domain', '=', domain).where('shortcode', '=', shortcode).returningAll().executeTakeFirst()
