import { type QuotePolicy, QuoteState } from '@rookery/contracts/statuses'
import { type Database, firstRows, inBothOrders, keyset, type Order, type Page, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { isOpenStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type PageValues, type Skeleton, skeletonStatement } from '../../views/index.ts'

const ACCEPTED = sql.lit(QuoteState.ACCEPTED)

const quotesOf = (order: Order) =>
  skeletonStatement<PageValues & { quotedId: string }>(`quotes.list-${order}`, {
    page: ({ quotedId, below, above, limit }) =>
      firstRows(
        sql`select status_id, null::bigint reblog_of_id from quote
          where quoted_id = ${quotedId} and state = ${ACCEPTED} and status_id < ${below} and status_id > ${above} order by status_id ${sql.raw(order)}`,
        limit,
      ),
  })

const QUOTES = inBothOrders(quotesOf)

/** The accepted quotes of a status, newest first. */
export const readQuotes = async (
  database: Database<StatusesTables>,
  { quotedId, viewerId, page }: { quotedId: string; viewerId: string; page: Page },
): Promise<Skeleton> => {
  const { order, below, above, limit } = keyset(page)
  return QUOTES[order](database, { viewerId: viewerId || '0', quotedId, below, above, limit })
}

/** A status's quote, and the author of the quoted status; null once that is deleted. */
export const readQuoteOf = prepared(
  'quotes.of',
  ({ statusId }: { statusId: string }) => sql<{ state: QuoteState; quotedId: string | null; quotedAuthorId: string | null }>`
    select q.state, q.quoted_id, o.author_id quoted_author_id
    from quote q left join lateral (select author_id from status_head where id = q.quoted_id offset 0) o on true where q.status_id = ${statusId}`,
)

/** A quote, and the authors of both statuses. */
export type QuoteRow = {
  state: QuoteState
  authorId: string
  quotedAuthorId: string
  authorizationUri: string | null
  isCounted: boolean
}

export class QuoteWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Locks both statuses, lower id first as every writer does, and returns the quote; undefined if there is none. */
  async lock({ statusId, quotedId }: { statusId: string; quotedId: string }): Promise<QuoteRow | undefined> {
    await sql`
      select 1 from status_head where id = any(array[${statusId}, ${quotedId}]::bigint[]) order by id for no key update`.execute(this.tx)
    const { rows } = await sql<QuoteRow>`
      select q.state, h.author_id, o.author_id quoted_author_id, q.authorization_uri, q.state = ${ACCEPTED} and ${isOpenStatus('h')} is_counted
      from quote q join status_head h on h.id = q.status_id join status_head o on o.id = q.quoted_id
      where q.status_id = ${statusId} and q.quoted_id = ${quotedId}`.execute(this.tx)
    return rows[0]
  }

  /** The status that a status quotes; undefined if there is no quote, or the quoted status is deleted. */
  async quotedBy(statusId: string): Promise<string | undefined> {
    const query = this.tx.selectFrom('quote').select('quotedId').where('statusId', '=', statusId)
    return (await query.executeTakeFirst())?.quotedId ?? undefined
  }

  /** The quoting status of an approval. */
  async authorizedBy(authorizationUri: string): Promise<string | undefined> {
    const query = this.tx.selectFrom('quote').select('statusId').where('authorizationUri', '=', authorizationUri).limit(1)
    return (await query.executeTakeFirst())?.statusId
  }

  /** Adds a quote, unless the status has one; returns whether it was added. */
  async add(quote: { statusId: string; quotedId: string; state: QuoteState; authorizationUri: string | null }): Promise<boolean> {
    const { statusId, quotedId, state, authorizationUri } = quote
    const { rows } = await sql`
      insert into quote (status_id, quoted_id, state, authorization_uri)
      select ${statusId}::bigint, id, ${state}::smallint, ${authorizationUri}::text from status_head where id = ${quotedId}
      on conflict do nothing returning status_id`.execute(this.tx)
    if (rows.length === 0) return false
    if (state === QuoteState.ACCEPTED) await this.count({ statusId, quotedId })
    return true
  }

  /** Accepts a locked pending quote, and counts it. */
  async accept({ statusId, quotedId }: { statusId: string; quotedId: string }, authorizationUri: string | null): Promise<void> {
    await sql`update quote set state = ${ACCEPTED}, authorization_uri = ${authorizationUri} where status_id = ${statusId}`.execute(this.tx)
    await this.count({ statusId, quotedId })
  }

  private async count({ statusId, quotedId }: { statusId: string; quotedId: string }): Promise<void> {
    await sql`
      update status_head set quotes = quotes + 1
      where id = ${quotedId} and exists (select 1 from status_head h where h.id = ${statusId} and ${isOpenStatus('h')})`.execute(this.tx)
  }

  /** Changes the state of a locked quote, and uncounts it if it was counted. */
  async end({ statusId, quotedId }: { statusId: string; quotedId: string }, { state, isCounted }: QuoteRow): Promise<void> {
    await sql`update quote set state = ${state} where status_id = ${statusId}`.execute(this.tx)
    if (isCounted) await sql`update status_head set quotes = greatest(0, quotes - 1) where id = ${quotedId}`.execute(this.tx)
  }

  /** Sets a status's quote policy; returns whether it changed. */
  async setPolicy(id: string, policy: QuotePolicy): Promise<boolean> {
    const { rows } = await sql`
      update status_head set quote_policy = ${policy} where id = ${id} and quote_policy <> ${policy} returning id`.execute(this.tx)
    return rows.length > 0
  }

  /** Locks the author's own status; undefined if it is deleted, a boost, or another's. */
  async own(id: string, authorId: string): Promise<{ visibility: number } | undefined> {
    const query = this.tx.selectFrom('statusHead').select('visibility').where('id', '=', id).where('authorId', '=', authorId)
    return query.where('reblogOfId', 'is', null).forNoKeyUpdate().executeTakeFirst()
  }
}
