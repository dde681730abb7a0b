import { anyOf, type Db, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { FederationTables } from '../database/schema.ts'
import type { LineOutcome } from '../database/tables/domain-import.ts'
import type { Strictness } from './domain-block.rules.ts'
import type { ImportedBlock, ImportLine } from './import-lines.rules.ts'

/** The progress of an import. */
type ImportProgress = {
  id: string
  createdAt: Date
  isFinished: boolean
  lines: number
  done: number
  known: number
  invalid: number
}

const SHOWN = 5

export class DomainImportReader {
  protected readonly db: Db<FederationTables>

  constructor(db: Db<FederationTables>) {
    this.db = db
  }

  /** The latest started imports with their progress. */
  async latest(): Promise<ImportProgress[]> {
    const { rows } = await sql<ImportProgress>`
      select i.id, i.created_at "createdAt", i.finished_at is not null "isFinished", count(l.line)::int lines,
        (count(*) filter (where l.outcome = 'done'))::int done, (count(*) filter (where l.outcome = 'known'))::int known,
        (count(*) filter (where l.outcome = 'invalid'))::int invalid
      from (select id, created_at, finished_at from domain_import where started_at is not null order by id desc limit ${SHOWN}) i
      left join domain_import_line l on l.import_id = i.id
      group by i.id, i.created_at, i.finished_at order by i.id desc`.execute(this.db)
    return rows
  }

  /** The ids of imports that were started and not finished. */
  async unfinished(): Promise<string[]> {
    const query = this.db.selectFrom('domainImport').select('id').where('startedAt', 'is not', null).where('finishedAt', 'is', null)
    return (await query.execute()).map(({ id }) => id)
  }
}

export class DomainImportWriter extends DomainImportReader {
  constructor(tx: Tx<FederationTables>) {
    super(tx)
  }

  async add(staffId: string, createdAt: Date): Promise<string> {
    const row = { staffId: staffId || null, createdAt, startedAt: null, finishedAt: null }
    return (await this.db.insertInto('domainImport').values(row).returning('id').executeTakeFirstOrThrow()).id
  }

  /** Adds lines to an import that was not started; existing lines are unchanged. Returns whether there is such an import. */
  async append(importId: string, lines: readonly ImportLine[]): Promise<boolean> {
    const query = this.db.selectFrom('domainImport').select('id').where('id', '=', importId).where('startedAt', 'is', null)
    if (!(await query.forShare().executeTakeFirst())) return false
    const rows = JSON.stringify(lines)
    await sql`
      insert into domain_import_line (import_id, line, domain, severity, reject_media, reject_reports, public_comment, obfuscate)
      select ${importId}::bigint, l.line, l.domain, l.severity, l."rejectMedia", l."rejectReports", l."publicComment", l.obfuscate
      from jsonb_to_recordset(${rows}::jsonb) l (line int, domain text, severity text, "rejectMedia" boolean, "rejectReports" boolean,
        "publicComment" text, obfuscate boolean)
      on conflict do nothing`.execute(this.db)
    return true
  }

  /** Starts an import and returns its number of lines; undefined if it was started before or does not exist. */
  async start(importId: string, startedAt: Date): Promise<number | undefined> {
    const query = this.db.updateTable('domainImport').set({ startedAt }).where('id', '=', importId).where('startedAt', 'is', null)
    if ((await query.executeTakeFirst()).numUpdatedRows === 0n) return undefined
    const counted = this.db.selectFrom('domainImportLine').select(({ fn }) => fn.countAll<string>().as('count'))
    return Number((await counted.where('importId', '=', importId).executeTakeFirstOrThrow()).count)
  }

  /** The next pending lines of an import. */
  async waiting(importId: string, limit: number): Promise<ImportLine[]> {
    return this.db
      .selectFrom('domainImportLine')
      .select(['line', 'domain', 'severity', 'rejectMedia', 'rejectReports', 'publicComment', 'obfuscate'])
      .where('importId', '=', importId)
      .where('outcome', 'is', null)
      .orderBy('line')
      .limit(limit)
      .execute()
  }

  /** The blocks of these domains, by domain. Until the transaction ends, no other transaction can change blocks. */
  async lockKnown(domains: readonly string[]): Promise<Map<string, Strictness>> {
    await sql`lock table domain_block in share row exclusive mode`.execute(this.db)
    const columns = ['domain', 'severity', 'rejectMedia', 'rejectReports'] as const
    const { rows } = await sql<Strictness & { domain: string }>`
      select ${sql.join(columns.map((column) => sql.ref(column)))} from domain_block where domain = any(${[...domains]}::text[])`.execute(
      this.db,
    )
    return new Map(rows.map((row) => [row.domain, row]))
  }

  async addBlocks(blocks: readonly ImportedBlock[], createdAt: Date): Promise<void> {
    if (blocks.length === 0) return
    await sql`
      insert into domain_block (domain, severity, reject_media, reject_reports, public_comment, obfuscate, created_at)
      select b.domain, b.severity, b."rejectMedia", b."rejectReports", b."publicComment", b.obfuscate, ${createdAt}
      from jsonb_to_recordset(${JSON.stringify(blocks)}::jsonb) b (domain text, severity text, "rejectMedia" boolean, "rejectReports" boolean,
        "publicComment" text, obfuscate boolean)`.execute(this.db)
  }

  /** Records the outcomes of lines. */
  async finishLines(importId: string, lines: readonly number[], outcomes: readonly LineOutcome[]): Promise<void> {
    await sql`
      update domain_import_line l set outcome = o.outcome from unnest(${[...lines]}::int[], ${[...outcomes]}::text[]) o (line, outcome)
      where l.import_id = ${importId} and l.line = o.line`.execute(this.db)
  }

  /** The domains of known remote accounts. */
  async knownDomains(): Promise<string[]> {
    const { rows } = await sql<{ domain: string }>`
      select distinct named.domain from remote_actor cross join lateral (values (domain), (handle_domain)) named (domain)
      where account_id is not null`.execute(this.db)
    return rows.map(({ domain }) => domain)
  }

  /** The subset of these domains that have blocks. */
  async limited(domains: readonly string[]): Promise<string[]> {
    return (
      await this.db
        .selectFrom('domainBlock')
        .select('domain')
        .where('domain', '=', sql<string>`any(${[...domains]}::text[])`)
        .execute()
    ).map(({ domain }) => domain)
  }

  /** Finishes an import, and deletes imports from before a time. */
  async finish(importId: string, finishedAt: Date, forgotten: Date): Promise<void> {
    await this.db.updateTable('domainImport').set({ finishedAt }).where('id', '=', importId).execute()
    const old = this.db.selectFrom('domainImport').select('id').where('createdAt', '<', forgotten)
    const ids = (await old.execute()).map(({ id }) => id)
    await this.db.deleteFrom('domainImport').where('id', '=', anyOf(ids)).execute()
  }
}
