import { type Kysely, sql } from 'kysely'
import { knownSteps } from './known-steps.ts'
import type { MigrationSet, MigrationStep } from './migration-set.ts'

/** A step that ran, perhaps one of a newer version. */
export type RanStep = { name: string; phase: MigrationStep['phase']; after: string | null }

/** Running code: the steps it knows, and the age of its last heartbeat in seconds. */
export type RunningCode = { knows: string[]; seconds: number }

/** A process without a heartbeat for this long counts as gone. */
const GONE_SECONDS = 90
/** When records of processes that are gone are deleted. */
const FORGET_AFTER = '1 day'

const ledgerOf = (set: MigrationSet) => sql.table(`${set.name}_migration`)

/** Creates the tables that record steps and running code. */
export const prepareLedger = async <Tables>(db: Kysely<Tables>, set: MigrationSet): Promise<void> => {
  const ledger = ledgerOf(set)
  await sql`
    create table if not exists ${ledger} (
      name varchar(255) primary key,
      timestamp varchar(255) not null
    )`.execute(db)
  // Before phases were introduced, all steps were expand steps.
  await sql`
    alter table ${ledger} add column if not exists phase text not null default 'expand', add column if not exists after text`.execute(db)
  await sql`
    create table if not exists running_code (
      process uuid not null,
      set_name text not null,
      knows text[] not null,
      seen_at timestamptz not null default now(),
      primary key (process, set_name)
    )`.execute(db)
}

/** The steps of a set that ran, by name. */
export const findRanSteps = async <Tables>(db: Kysely<Tables>, set: MigrationSet): Promise<RanStep[]> =>
  (await sql<RanStep>`select name, phase, after from ${ledgerOf(set)} order by name`.execute(db)).rows

/** Records that a step ran. */
export const insertRanStep = async <Tables>(
  db: Kysely<Tables>,
  set: MigrationSet,
  { name, step }: { name: string; step: MigrationStep },
): Promise<void> => {
  const after = step.phase === 'contract' ? step.after : null
  await sql`
    insert into ${ledgerOf(set)} (name, timestamp, phase, after)
    values (${name}, ${new Date().toISOString()}, ${step.phase}, ${after})`.execute(db)
}

/** Records the steps that a baseline replaces as run. */
export const insertReplacedSteps = async <Tables>(db: Kysely<Tables>, set: MigrationSet, names: readonly string[]): Promise<void> => {
  await sql`
    insert into ${ledgerOf(set)} (name, timestamp) select name, ${new Date().toISOString()} from unnest(${names}::text[]) name`.execute(db)
}

/** The steps that each running process knows of a set; processes that are gone are left out. */
export const findRunningCode = async <Tables>(db: Kysely<Tables>, set: MigrationSet): Promise<RunningCode[]> => {
  const found = await sql<RunningCode>`
    select knows, extract(epoch from now() - seen_at)::int as seconds from running_code
    where set_name = ${set.name} and seen_at > now() - make_interval(secs => ${GONE_SECONDS})`.execute(db)
  return found.rows
}

/** Records that a process runs code with these steps; again as a heartbeat. */
export const upsertRunningCode = async <Tables>(db: Kysely<Tables>, process: string, sets: readonly MigrationSet[]): Promise<void> => {
  for (const set of sets)
    await sql`
      insert into running_code (process, set_name, knows) values (${process}, ${set.name}, ${knownSteps(set)})
      on conflict (process, set_name) do update set seen_at = now()`.execute(db)
}

/** Deletes the record of a process, and old records of processes that are gone. */
export const deleteRunningCode = async <Tables>(db: Kysely<Tables>, process: string): Promise<void> => {
  await sql`delete from running_code where process = ${process} or seen_at < now() - ${FORGET_AFTER}::interval`.execute(db)
}
