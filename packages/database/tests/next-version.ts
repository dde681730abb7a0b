import { type Kysely, sql } from 'kysely'
import { createIndexConcurrently, type MigrationSet, type MigrationStep } from '../src/index.ts'

const WITHOUT = '9998-without'
/** The contract step of the next version. */
export const NEXT_CONTRACT = '9999-taken-away'

/** Tables that only migrations use. */
const ITS_OWN = /_migration(_lock)?$|^running_code$/

const tablesOf = async <Tables>(db: Kysely<Tables>) => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(db)
  return rows.map(({ name }) => name).filter((name) => !ITS_OWN.test(name))
}

const widened = (table: string): MigrationStep => ({
  phase: 'expand',
  up: async (db) => void (await sql`alter table ${sql.table(table)} add column of_next_version text not null default ''`.execute(db)),
})
const indexed = (table: string): MigrationStep => ({
  phase: 'expand',
  isTransactional: false,
  up: (db) => createIndexConcurrently(db, { name: `${table}_of_next_version`, on: `${table} (of_next_version)` }),
})

/**
 * A service's steps and those of an imaginary next version, which adds everything that may be added to every table, and then removes a
 * table that the previous version gave up. Code that works beside it works beside any version that follows the rules.
 */
export const ofNextVersion = async <Tables>(db: Kysely<Tables>, set: MigrationSet): Promise<MigrationSet> => {
  const tables = (await tablesOf(db)).filter((table) => table !== 'of_next_version')
  const number = (index: number) => String(9000 + index)
  const steps = tables.flatMap((table, index): [string, MigrationStep][] => [
    [`${number(2 * index)}-widened-${table}`, widened(table)],
    [`${number(2 * index + 1)}-indexed-${table}`, indexed(table)],
  ])
  const without: MigrationStep = {
    phase: 'expand',
    up: async (tx) => void (await sql`create table of_next_version (id bigint primary key)`.execute(tx)),
  }
  const takenAway: MigrationStep = {
    phase: 'contract',
    after: WITHOUT,
    up: async (tx) => void (await sql`drop table of_next_version`.execute(tx)),
  }
  return { ...set, steps: { ...set.steps, ...Object.fromEntries(steps), [WITHOUT]: without, [NEXT_CONTRACT]: takenAway } }
}
