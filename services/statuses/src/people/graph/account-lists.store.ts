import { type Buildable, firstRows, type PreparedPage, prepared, preparedPage } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { blocks, hasBlockBetween, isActiveMute, isThere, mutes } from '../../audience/index.ts'

/** Whose list, and who reads it ('0': anonymous). */
type Wanted = { accountId: string; viewerId: string; now: Date }

/** A row of a list: who, the association's own id as cursor, and when it ends (seconds since 1970; 0 never). */
type ListedAccount = { accountId: string; cursor: string; expiresAtSeconds: number }

const list = (name: string, select: (given: Wanted) => RawBuilder<ListedAccount>): PreparedPage<Wanted, ListedAccount> =>
  preparedPage(
    `graph.${name}`,
    (given: Wanted, { order, below, above, limit }): Buildable<ListedAccount> =>
      firstRows(sql`${select(given)} and l.id < ${below} and l.id > ${above} order by l.id ${sql.raw(order)}`, limit),
  )

/** People of other people's lists: without those who stand in a block with the viewer, and whom the viewer mutes; their owner sees everyone. */
const isShown = (column: string, { accountId, viewerId, now }: Wanted) => {
  const isMuted = mutes(sql.val(viewerId), column, sql.val(now))
  return sql`not ${hasBlockBetween(sql.val(viewerId), column)} and (${viewerId}::bigint = ${accountId}::bigint or not ${isMuted})`
}

const own = (name: string, table: string, from: string, to: string) =>
  list(name, ({ accountId }) => {
    const [source, owner, listed] = [sql.table(table), sql.ref(`l.${from}`), sql.ref(`l.${to}`)]
    return sql`select ${listed} account_id, l.id cursor, 0::float8 expires_at_seconds from ${source} l where ${owner} = ${accountId}`
  })

/** The lists of people that the graph holds, each latest first; a page by min_id comes oldest first. */
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
 * Whether a person wishes their followers and follows not to be shown, and whether none of their lists of people is: they are suspended, or
 * block the viewer. No row when there is no such account.
 */
export const readListPrivacy = prepared(
  'graph.list-privacy',
  ({ accountId, viewerId }: Pick<Wanted, 'accountId' | 'viewerId'>) => sql<{ hidesFollows: boolean; isBarred: boolean }>`
    select coalesce(hide_collections, false) hides_follows, is_suspended or ${blocks(sql.val(accountId), sql.val(viewerId))} is_barred
    from account where id = ${accountId} and ${isThere()}`,
)
