import { type Buildable, firstRows, type PreparedPage, prepared, preparedPage } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { blocks, hasBlockBetween, isActiveMute, isThere, mutes } from '../../audience/index.ts'

/** The owner of a list, and its reader ('0': anonymous). */
type Wanted = { accountId: string; viewerId: string; now: Date }

/** A row of a list: the account, the association's id as cursor, and when it expires (seconds since 1970; 0 for never). */
type ListedAccount = { accountId: string; cursor: string; expiresAtSeconds: number }

const list = (name: string, select: (given: Wanted) => RawBuilder<ListedAccount>): PreparedPage<Wanted, ListedAccount> =>
  preparedPage(
    `graph.${name}`,
    (given: Wanted, { order, below, above, limit }): Buildable<ListedAccount> =>
      firstRows(sql`${select(given)} and l.id < ${below} and l.id > ${above} order by l.id ${sql.raw(order)}`, limit),
  )

/** Leaves out accounts with a block either way with the viewer, and from other people's lists those the viewer mutes. */
const isShown = (column: string, { accountId, viewerId, now }: Wanted) => {
  const isMuted = mutes(sql.val(viewerId), column, sql.val(now))
  return sql`not ${hasBlockBetween(sql.val(viewerId), column)} and (${viewerId}::bigint = ${accountId}::bigint or not ${isMuted})`
}

const own = (name: string, table: string, from: string, to: string) =>
  list(name, ({ accountId }) => {
    const [source, owner, listed] = [sql.table(table), sql.ref(`l.${from}`), sql.ref(`l.${to}`)]
    return sql`select ${listed} account_id, l.id cursor, 0::float8 expires_at_seconds from ${source} l where ${owner} = ${accountId}`
  })

/** The account lists of the graph, each latest first; a page by min_id comes oldest first. */
export const ACCOUNT_LISTS = {
  followers: list(
    'followers',
    (given) => sql`select l.account_id, l.id cursor, 0::float8 expires_at_seconds from follow l
      where l.target_id = ${given.accountId} and ${isShown('l.account_id', given)}`,
  ),
  following: list(
    'following',
    (given) => sql`select l.target_id account_id, l.id cursor, 0::float8 expires_at_seconds from follow l
      where l.account_id = ${given.accountId} and ${isShown('l.target_id', given)}`,
  ),
  'follow-requests': own('follow-requests', 'followRequest', 'targetId', 'accountId'),
  blocks: own('blocks', 'block', 'accountId', 'targetId'),
  mutes: list(
    'mutes',
    ({ accountId, now }) => sql`
      select l.target_id account_id, l.id cursor, coalesce(extract(epoch from l.expires_at)::bigint, 0)::float8 expires_at_seconds
      from mute l where l.account_id = ${accountId} and ${isActiveMute('l', sql.val(now))}`,
  ),
} as const

export type AccountListKind = keyof typeof ACCOUNT_LISTS

/**
 * Whether an account hides its follows and followers, and whether all its lists are closed to the viewer: it is suspended, or blocks the viewer. No
 * row if there is no such account.
 */
export const readListPrivacy = prepared(
  'graph.list-privacy',
  ({ accountId, viewerId }: Pick<Wanted, 'accountId' | 'viewerId'>) => sql<{ hidesFollows: boolean; isBarred: boolean }>`
    select coalesce(hide_collections, false) hides_follows, is_suspended or ${blocks(sql.val(accountId), sql.val(viewerId))} is_barred
    from account where id = ${accountId} and ${isThere()}`,
)
