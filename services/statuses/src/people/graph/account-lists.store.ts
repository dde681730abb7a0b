import { type Database, inBothOrders, keyset, type Order, type Page, sqlText, statement } from '@rookery/database'
import { blocks, hasBlockBetween, isActiveMute } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'

type ListRow = [accountId: string, cursor: string, expiresAtSeconds: string | null]

/** $1 whose list, $2 viewer, $3 below, $4 above, $5 limit, $6 now. */
const list = (name: string, select: string, order: Order) =>
  statement<ListRow>(`graph.${name}-${order}`, `${select} and l.id < $3 and l.id > $4 order by l.id ${order} limit $5`)

/** People of other people's lists: without those who stand in a block with the viewer. */
const notBlocked = (column: string) => sqlText`and $6::timestamptz is not null and not ${hasBlockBetween('$2', column)}`

const own = (table: string, from: string, to: string) =>
  `select l.${to}, l.id, null from ${table} l where l.${from} = $1 and $2::bigint is not null and $6::timestamptz is not null`

const SELECTS = {
  followers: `select l.account_id, l.id, null from follow l where l.target_id = $1 ${notBlocked('l.account_id')}`,
  following: `select l.target_id, l.id, null from follow l where l.account_id = $1 ${notBlocked('l.target_id')}`,
  'follow-requests': own('follow_request', 'target_id', 'account_id'),
  blocks: own('block', 'account_id', 'target_id'),
  mutes: sqlText`select l.target_id, l.id, extract(epoch from l.expires_at)::bigint from mute l
          where l.account_id = $1 and $2::bigint is not null and ${isActiveMute('l', '$6')}`,
}

/** The lists of people the graph holds. */
export type AccountListKind = keyof typeof SELECTS

const STATEMENTS = Object.fromEntries(
  Object.entries(SELECTS).map(([name, select]) => [name, inBothOrders((order) => list(name, select, order))]),
) as Record<AccountListKind, Record<Order, ReturnType<typeof list>>>

/** A row of a list: who, the association's own id as cursor, and when it ends (seconds since 1970; 0 never). */
export type ListedAccount = { accountId: string; cursor: string; expiresAtSeconds: number }

/** Reads a page of a list, latest first; a page by min_id comes oldest first. */
export const readAccountList = async (
  database: Database<StatusesTables>,
  kind: AccountListKind,
  wanted: { accountId: string; viewerId: string; page: Page; now: Date },
): Promise<ListedAccount[]> => {
  const { page } = wanted
  const { order, bounds } = keyset(page)
  const rows = await STATEMENTS[kind][order](database, [wanted.accountId, wanted.viewerId || '0', ...bounds, wanted.now])
  return rows.map(([accountId, cursor, seconds]) => ({ accountId, cursor, expiresAtSeconds: Number(seconds ?? 0) }))
}

/**
 * Whether a person wishes their followers and follows not to be shown, and whether none of their lists of people is: they are suspended, or
 * block the viewer. Nothing for nobody.
 */
export const readListPrivacy = statement<[hidesFollows: boolean, isBarred: boolean]>(
  'graph.list-privacy',
  sqlText`select coalesce(hide_collections, false), is_suspended or ${blocks('$1', '$2')}
   from account where id = $1 and closed_at is null`,
)
