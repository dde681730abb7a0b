import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'
import type { Line } from './line.rules.ts'

/** An import in progress. */
export type Import = { id: string; accountId: string; kind: string; replaces: boolean; clearedAt: Date | null }

type NewImport = {
  id: string
  accountId: string
  kind: string
  replaces: boolean
  createdAt: Date
  lines: readonly Line[]
}

/** The result of a line: done, account or status unknown, or refused. */
export type Outcome = 'done' | 'unknown' | 'refused'

/** The progress of an import. */
export type Progress = { id: string; kind: string; createdAt: Date; isFinished: boolean; lines: number; done: number; failed: number }

const LINES_AT_ONCE = 50
const SHOWN = 5
const FAILURES_AT_ONCE = 1000

export class ImportReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  /** The oldest unfinished import of an account. */
  async firstUnfinished(accountId: string): Promise<Import | undefined> {
    return this.db
      .selectFrom('import')
      .select(['id', 'accountId', 'kind', 'replaces', 'clearedAt'])
      .where('accountId', '=', accountId)
      .where('finishedAt', 'is', null)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
  }

  /** Accounts with unfinished imports. */
  async peopleWaiting(): Promise<string[]> {
    const query = this.db.selectFrom('import').select('accountId').where('finishedAt', 'is', null)
    return (await query.distinct().execute()).map(({ accountId }) => accountId)
  }

  /** The next unprocessed lines of an import. */
  async waiting(importId: string): Promise<Line[]> {
    return this.db
      .selectFrom('importLine')
      .select(['line', 'cells'])
      .where('importId', '=', importId)
      .where('outcome', 'is', null)
      .orderBy('line')
      .limit(LINES_AT_ONCE)
      .execute()
  }

  /** The cells of all lines of an import. */
  async cells(importId: string): Promise<string[][]> {
    const rows = await this.db.selectFrom('importLine').select('cells').where('importId', '=', importId).execute()
    return rows.map(({ cells }) => cells)
  }

  /** The latest imports of an account, with their progress. */
  async latest(accountId: string): Promise<Progress[]> {
    const { rows } = await sql<Progress>`
      select i.id, i.kind, i.created_at "createdAt", i.finished_at is not null "isFinished", count(l.line)::int lines,
        (count(*) filter (where l.outcome = 'done'))::int done, (count(*) filter (where l.outcome in ('unknown', 'refused')))::int failed
      from (select id, kind, created_at, finished_at from import where account_id = ${accountId} order by id desc limit ${SHOWN}) i
      left join lateral (select line, outcome from import_line where import_id = i.id offset 0) l on true
      group by i.id, i.kind, i.created_at, i.finished_at order by i.id desc`.execute(this.db)
    return rows
  }

  /** Whether an import belongs to an account. */
  async isOf(accountId: string, importId: string): Promise<boolean> {
    const query = this.db.selectFrom('import').select('id').where('id', '=', importId).where('accountId', '=', accountId)
    return (await query.executeTakeFirst()) !== undefined
  }

  /** A page of failed lines of an account's import, after a line number. */
  async failures(accountId: string, importId: string, after: number): Promise<(Line & { outcome: string })[]> {
    const { rows } = await sql<Line & { outcome: string }>`
      select l.line, l.cells, l.outcome from import i join import_line l on l.import_id = i.id
      where i.id = ${importId} and i.account_id = ${accountId} and l.outcome in ('unknown', 'refused') and l.line > ${after}
      order by l.line limit ${FAILURES_AT_ONCE}`.execute(this.db)
    return rows
  }
}

export class ImportWriter extends ImportReader {
  /** Inserts an import and all its lines, in two statements. */
  async add(given: NewImport): Promise<void> {
    const row = { id: given.id, accountId: given.accountId, kind: given.kind, replaces: given.replaces, createdAt: given.createdAt }
    await this.db
      .insertInto('import')
      .values({ ...row, clearedAt: null, finishedAt: null })
      .execute()
    await sql`
      insert into import_line (import_id, line, cells)
      select ${given.id}::bigint, (value->>'line')::int, array(select jsonb_array_elements_text(value->'cells'))
      from jsonb_array_elements(${JSON.stringify(given.lines)}::jsonb) as each (value)`.execute(this.db)
  }

  async finishLine(importId: string, line: number, outcome: Outcome): Promise<void> {
    await this.db.updateTable('importLine').set({ outcome }).where('importId', '=', importId).where('line', '=', line).execute()
  }

  async clear(importId: string, at: Date): Promise<void> {
    await this.db.updateTable('import').set({ clearedAt: at }).where('id', '=', importId).execute()
  }

  async finish(importId: string, at: Date): Promise<void> {
    await this.db.updateTable('import').set({ finishedAt: at }).where('id', '=', importId).execute()
  }

  /** Deletes imports that finished before a time. */
  async forgetFinished(before: Date): Promise<void> {
    await this.db.deleteFrom('import').where('finishedAt', '<=', before).execute()
  }
}
