import type { Db, Tx } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import type { FilterRow, KeywordRow, StatusRow, WholeFilter } from '../../database/tables/filter.ts'
import type { Holdings } from './filter.rules.ts'

/** A part of an account's filters: the id of a filter, or of a keyword or status in one. */
export type OwnedPart = { id: string; accountId: string }

/** A keyword with its filter, and the number of the filter's keywords. */
export type KeywordOfFilterRow = KeywordRow & { filter: FilterRow; siblings: number }

/** The columns of a filter `f`. */
const FILTER = sql.raw(`f.id::text, f.title, f.contexts, f.action, floor(extract(epoch from f.expires_at) * 1000)::float8 "expiresAt"`)

const WHOLE = sql`select ${FILTER},
    coalesce((select json_agg(json_build_object('id', k.id::text, 'keyword', k.keyword, 'wholeWord', k.whole_word) order by k.id)
      from (select * from filter_keyword where filter_id = f.id offset 0) k), '[]') keywords,
    coalesce((select json_agg(json_build_object('id', s.id::text, 'statusId', s.status_id::text) order by s.id)
      from (select * from filter_status where filter_id = f.id offset 0) s), '[]') statuses
  from filter f`

export class FilterReader {
  protected readonly db: Db<StatusesTables> | Tx<StatusesTables>

  constructor(db: Db<StatusesTables> | Tx<StatusesTables>) {
    this.db = db
  }

  /** All filters of an account, oldest first, in one statement. */
  async list(accountId: string): Promise<WholeFilter[]> {
    return (await sql<WholeFilter>`${WHOLE} where f.account_id = ${accountId} order by f.id`.execute(this.db)).rows
  }

  /** A filter; undefined if it is another's or deleted. The same applies to its parts below. */
  async filter({ id, accountId }: OwnedPart): Promise<WholeFilter | undefined> {
    return (await sql<WholeFilter>`${WHOLE} where f.id = ${id} and f.account_id = ${accountId}`.execute(this.db)).rows[0]
  }

  /** A keyword, with its filter and the number of that filter's keywords. */
  async keyword({ id, accountId }: OwnedPart): Promise<KeywordOfFilterRow | undefined> {
    const { rows } = await sql<KeywordOfFilterRow>`
      select k.id::text, k.keyword, k.whole_word, (select row_to_json(summary) from (select ${FILTER}) summary) as filter,
        (select count(*)::int from filter_keyword where filter_id = f.id) siblings
      from filter_keyword k join filter f on f.id = k.filter_id where k.id = ${id} and f.account_id = ${accountId}`.execute(this.db)
    return rows[0]
  }

  async status({ id, accountId }: OwnedPart): Promise<StatusRow | undefined> {
    const { rows } = await sql<StatusRow>`
      select s.id::text, s.status_id::text from filter_status s join filter f on f.id = s.filter_id
      where s.id = ${id} and f.account_id = ${accountId}`.execute(this.db)
    return rows[0]
  }
}

/** The changed columns of a filter; undefined leaves one unchanged. */
export type FilterChange = {
  title?: string | undefined
  contexts?: readonly string[] | undefined
  action?: string | undefined
  expiresAt?: Date | null | undefined
}

/** Maps undefined to null, for parameters. */
const given = <Value>(value: Value | undefined): Value | null => value ?? null

export class FilterWriter extends FilterReader {
  /** Bumps the context version, so that reads use the change from the commit on, and serialises changes of an account's filters. */
  async begin(accountId: string): Promise<void> {
    await sql`update account set context_version = context_version + 1 where id = ${accountId}`.execute(this.db)
  }

  async holdings(accountId: string): Promise<Holdings> {
    const { rows } = await sql<Holdings>`
      with own as materialized (select id from filter where account_id = ${accountId})
      select (select count(*)::int from own) filters, count(*)::int keywords, coalesce(sum(char_length(keyword)), 0)::int characters,
        (select count(*)::int from filter_status where filter_id = any(array(select id from own))) statuses
      from filter_keyword where filter_id = any(array(select id from own))`.execute(this.db)
    return rows[0]!
  }

  /** Adds a filter and returns its id. */
  async add(
    accountId: string,
    filter: { title: string; contexts: readonly string[]; action: string; expiresAt: Date | null },
  ): Promise<string> {
    const { rows } = await sql<{ id: string }>`
      insert into filter (account_id, title, contexts, action, expires_at)
      values (${accountId}, ${filter.title}, ${[...filter.contexts]}::text[], ${filter.action}, ${filter.expiresAt})
      returning id::text`.execute(this.db)
    return rows[0]!.id
  }

  async change(id: string, { title, contexts, action, expiresAt }: FilterChange): Promise<void> {
    await sql`
      update filter set title = coalesce(${given(title)}::text, title),
        contexts = coalesce(${contexts ? [...contexts] : null}::text[], contexts),
        action = coalesce(${given(action)}::text, action),
        expires_at = case when ${expiresAt === undefined}::boolean then expires_at else ${given(expiresAt)}::timestamptz end
      where id = ${id}`.execute(this.db)
  }

  /** Deletes a filter with its parts; returns whether it existed. */
  remove(part: OwnedPart): Promise<boolean> {
    return this.touches(sql`delete from filter where id = ${part.id} and account_id = ${part.accountId} returning id`)
  }

  /** Adds keywords to a filter, in order. */
  async addKeywords(filterId: string, keywords: readonly { keyword: string; wholeWord: boolean }[]): Promise<KeywordRow[]> {
    const { rows } = await sql<KeywordRow>`
      insert into filter_keyword (filter_id, keyword, whole_word)
      select ${filterId}::bigint, keyword, whole_word
      from unnest(${keywords.map(({ keyword }) => keyword)}::text[], ${keywords.map(({ wholeWord }) => wholeWord)}::boolean[])
        with ordinality as added (keyword, whole_word, place) order by place
      returning id::text, keyword, whole_word`.execute(this.db)
    return rows
  }

  /** Changes keywords by id; undefined leaves a column unchanged. */
  async changeKeywords(changes: readonly { id: string; keyword: string | undefined; wholeWord: boolean | undefined }[]): Promise<void> {
    await sql`
      update filter_keyword set keyword = coalesce(changed.keyword, filter_keyword.keyword),
        whole_word = coalesce(changed.whole_word, filter_keyword.whole_word)
      from unnest(${changes.map(({ id }) => id)}::bigint[], ${changes.map(({ keyword }) => given(keyword))}::text[],
        ${changes.map(({ wholeWord }) => given(wholeWord))}::boolean[]) as changed (id, keyword, whole_word)
      where filter_keyword.id = changed.id`.execute(this.db)
  }

  /** Deletes keywords by id. */
  async removeKeywords(ids: readonly string[]): Promise<void> {
    await sql`delete from filter_keyword where id = any(${[...ids]}::bigint[])`.execute(this.db)
  }

  removeKeyword({ id, accountId }: OwnedPart): Promise<boolean> {
    return this.touches(sql`
      delete from filter_keyword using filter f
      where filter_keyword.id = ${id} and f.id = filter_keyword.filter_id and f.account_id = ${accountId} returning filter_keyword.id`)
  }

  /** Locks a status against deletion until the commit; false if it is deleted. */
  holdStatus(id: string): Promise<boolean> {
    return this.touches(sql`select id from status_head where id = ${id} for key share`)
  }

  /** Locks the statuses of a filter, or the status of one entry, against deletion. */
  async holdEntries(entries: { filterId: string } | { entryId: string }): Promise<void> {
    const meant = 'filterId' in entries ? sql`s.filter_id = ${entries.filterId}` : sql`s.id = ${entries.entryId}`
    await sql`
      select 1 from status_head h join filter_status s on s.status_id = h.id where ${meant}
      order by h.id for key share of h`.execute(this.db)
  }

  /** Adds a status to a filter; undefined if the filter has it already. */
  async addStatus(filterId: string, statusId: string): Promise<StatusRow | undefined> {
    const { rows } = await sql<StatusRow>`
      insert into filter_status (filter_id, status_id) values (${filterId}, ${statusId}) on conflict do nothing
      returning id::text, status_id::text`.execute(this.db)
    return rows[0]
  }

  removeStatus({ id, accountId }: OwnedPart): Promise<boolean> {
    return this.touches(sql`
      delete from filter_status using filter f
      where filter_status.id = ${id} and f.id = filter_status.filter_id and f.account_id = ${accountId} returning filter_status.id`)
  }

  private async touches(statement: RawBuilder<unknown>): Promise<boolean> {
    return (await statement.execute(this.db)).rows.length > 0
  }
}
