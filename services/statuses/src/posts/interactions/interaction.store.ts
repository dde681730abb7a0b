import { anyOf, type Database, firstRows, inBothOrders, keyset, type Order, type Page, prepared, type Tx } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { isHiddenByViewer, isOpenStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type PageValues, type Skeleton, skeletonStatement } from '../../views/index.ts'

/** Interactions with a status besides boosting; each kind is a table. */
export type InteractionKind = 'favourite' | 'bookmark'

/** The account and the status of an interaction. */
export type Interaction = { accountId: string; statusId: string }

/** An added or removed favourite; `isSent` if a local account favourited a remote status. */
type ChangedFavourite = Interaction & { isSent: boolean }

/** The changed favourites in a CTE. */
const changedOf = (part: string) => sql`
  select c.account_id, c.status_id, not h.is_local and a.domain is null is_sent from ${sql.raw(part)} c
  cross join lateral (select is_local from status_head where id = c.status_id offset 0) h
  cross join lateral (select domain from account where id = c.account_id offset 0) a`

const rowsOf = (interactions: readonly Interaction[]) =>
  sql`unnest(${interactions.map(({ accountId }) => accountId)}::bigint[], ${interactions.map(({ statusId }) => statusId)}::bigint[])
    with ordinality as interaction (account_id, status_id, place)`

export class InteractionWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Adds an interaction; false if it existed already. */
  async add(kind: InteractionKind, accountId: string, statusId: string): Promise<boolean> {
    const added = await this.tx
      .insertInto(kind)
      .values({ accountId, statusId })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    return added !== undefined
  }

  /** Removes an interaction; false if it did not exist. */
  async remove(kind: InteractionKind, accountId: string, statusId: string): Promise<boolean> {
    const query = this.tx.deleteFrom(kind).where('accountId', '=', accountId).where('statusId', '=', statusId)
    return (await query.returning('id').executeTakeFirst()) !== undefined
  }

  /**
   * Locks the statuses of favourites, lower id first as every writer does, and returns the existing ones. Called before favourites change, so that a
   * count is changed once for all favourites of a batch.
   */
  async lock(statusIds: readonly string[]): Promise<string[]> {
    const query = this.tx.selectFrom('statusHead').select('id').where('id', '=', anyOf(statusIds))
    return (await query.orderBy('id').forNoKeyUpdate().execute()).map(({ id }) => id)
  }

  /** Adds and counts favourites of locked statuses; returns the new ones. */
  async addFavourites(favourites: readonly Interaction[]): Promise<ChangedFavourite[]> {
    const { rows } = await sql<ChangedFavourite>`
      with added as (
        insert into favourite (account_id, status_id)
        select account_id, status_id from ${rowsOf(favourites)} join account on account.id = account_id order by place
        on conflict do nothing returning account_id, status_id),
      counted as (
        update status_head set favourites = favourites + more from (select status_id, count(*)::int more from added group by status_id) a
        where id = status_id)
      ${changedOf('added')}`.execute(this.tx)
    return rows
  }

  /** Removes and uncounts favourites of locked statuses; returns the removed ones. */
  async removeFavourites(favourites: readonly Interaction[]): Promise<ChangedFavourite[]> {
    const { rows } = await sql<ChangedFavourite>`
      with removed as (
        delete from favourite f using ${rowsOf(favourites)} where f.account_id = interaction.account_id and f.status_id = interaction.status_id
        returning f.account_id, f.status_id),
      counted as (
        update status_head set favourites = greatest(0, favourites - fewer)
        from (select status_id, count(*)::int fewer from removed group by status_id) r where id = status_id)
      ${changedOf('removed')}`.execute(this.tx)
    return rows
  }
}

const ownList = (kind: InteractionKind, order: Order) =>
  skeletonStatement<PageValues>(`interactions.${kind}s-${order}`, {
    page: ({ viewerId, below, above, limit }) =>
      firstRows(
        sql`select i.status_id, h.reblog_of_id, i.id cursor from ${sql.table(kind)} i
          cross join lateral (select reblog_of_id from status_head where id = i.status_id offset 0) h
          where i.account_id = ${viewerId} and i.id < ${below} and i.id > ${above} order by i.id ${sql.raw(order)}`,
        limit,
      ),
    withCursors: true,
  })

const OWN_LISTS = {
  favourite: inBothOrders((order) => ownList('favourite', order)),
  bookmark: inBothOrders((order) => ownList('bookmark', order)),
}

/** The statuses an account favourited or bookmarked, newest first. */
export const readOwnList = async (
  database: Database<StatusesTables>,
  kind: InteractionKind,
  viewerId: string,
  page: Page,
): Promise<Skeleton> => {
  const { order, below, above, limit } = keyset(page)
  return OWN_LISTS[kind][order](database, { viewerId, below, above, limit })
}

type ActorsPage = PageValues & { statusId: string; now: Date }
type Actor = { accountId: string; cursor: string }

const actors = (name: string, rowsFor: (statusId: string) => RawBuilder<unknown>, order: Order) =>
  prepared(`interactions.${name}-${order}`, ({ statusId, viewerId, below, above, limit, now }: ActorsPage) =>
    firstRows(
      sql<Actor>`select account_id, cursor from (${rowsFor(statusId)}) d
          where cursor < ${below} and cursor > ${above} and not ${isHiddenByViewer(sql`${viewerId}`, 'd.account_id', sql`${now}`)}
          order by cursor ${sql.raw(order)}`,
      limit,
    ),
  )

const favouritersOf = (statusId: string) => sql`select account_id, id cursor from favourite where status_id = ${statusId}`
/** Boosts that are not public or unlisted stay hidden from the list. */
const boostersOf = (statusId: string) =>
  sql`select author_id account_id, id cursor from status_head h where reblog_of_id = ${statusId} and ${isOpenStatus('h')}`

const ACTORS = {
  favourited: inBothOrders((order) => actors('favourited-by', favouritersOf, order)),
  reblogged: inBothOrders((order) => actors('reblogged-by', boostersOf, order)),
}

/** The accounts who favourited or boosted a status, latest first, without those the viewer blocks or mutes. */
export const readActors = async (
  database: Database<StatusesTables>,
  interaction: keyof typeof ACTORS,
  { statusId, viewerId, now, page }: { statusId: string; viewerId: string; now: Date; page: Page },
): Promise<Actor[]> => {
  const { order, below, above, limit } = keyset(page)
  return ACTORS[interaction][order](database, { statusId, viewerId: viewerId || '0', now, below, above, limit })
}

const hiddenTarget = prepared(
  'interactions.hidden-target',
  ({ statusId, viewerId }: { statusId: string; viewerId: string }) => sql<{ id: string; authorId: string }>`
    select h.id, h.author_id from status_head named join status_head h
      on h.id = case when named.author_id = ${viewerId} then coalesce(named.reblog_of_id, named.id) else named.id end
    where named.id = ${statusId}`,
)

/**
 * The target of an interaction with a status that the viewer may not see. Only the viewer's own boost leads to the boosted status: a hidden boost of
 * another account must not reveal it.
 */
export const readHiddenTarget = async (
  database: Database<StatusesTables>,
  target: { statusId: string; viewerId: string },
): Promise<{ id: string; authorId: string } | undefined> => (await hiddenTarget(database, target))[0]
