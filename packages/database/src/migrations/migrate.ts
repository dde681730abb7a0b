import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { withStatementLimit } from '../session/index.ts'
import { isDeadlock } from '../transact.ts'
import type { Baseline } from './baseline.ts'
import { type MigrationPhase, type NamedStep, needsBaseline, planMigration } from './migration.rules.ts'
import { findRanSteps, findRunningCode, insertRanStep, insertReplacedSteps, prepareLedger } from './migration.store.ts'
import { type Send, withMigrationLock } from './migration-lock.ts'
import type { MigrationSet } from './migration-set.ts'

/** A step waits for a lock no longer than this, because requests queue behind it. */
const LOCK_TIMEOUT = '1s'
/** Then it lets all pass and asks again, less and less often, for so long. */
const TIMEOUT_MILLISECONDS = 240_000
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 15_000

type MigrateOptions = {
  /** start unless said. */
  phase?: MigrationPhase
  /** How long locks, and with `contract` the code of before, are waited for, in milliseconds; 4 minutes unless said. */
  timeoutMilliseconds?: number
}

const isLocked = (error: unknown) => isDeadlock(error) || (error as { code?: string })?.code === '55P03'

const runOnce = async <Tables>(db: Kysely<Tables>, set: MigrationSet, each: NamedStep) => {
  if (each.step.isTransactional === false) {
    await each.step.up(db)
    await insertRanStep(db, set, each)
    return
  }
  await db.transaction().execute(async (tx) => {
    await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(tx)
    await each.step.up(tx)
    await insertRanStep(tx, set, each)
  })
}

/** Runs a step, again after each time that others held what it wanted to change. */
const runStep = async <Tables>(db: Kysely<Tables>, set: MigrationSet, given: { each: NamedStep; end: number }) => {
  for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
    try {
      return await runOnce(db, set, given.each)
    } catch (error) {
      if (!isLocked(error) || Date.now() + wait > given.end) throw error
    }
    await pause(wait)
  }
}

/** Makes a schema that no one uses yet. */
const runBaseline = <Tables>(db: Kysely<Tables>, set: MigrationSet, { up, replaces }: Baseline) =>
  db.transaction().execute(async (tx) => {
    await up(tx)
    await insertReplacedSteps(tx, set, replaces)
  })

const round = async <Tables>(db: Kysely<Tables>, set: MigrationSet, given: { phase: MigrationPhase; end: number }) => {
  await prepareLedger(db, set)
  if (set.baseline && needsBaseline(set, await findRanSteps(db, set))) await runBaseline(db, set, set.baseline)
  const plan = planMigration(set, {
    phase: given.phase,
    ran: await findRanSteps(db, set),
    running: await findRunningCode(db, set),
  })
  for (const each of plan.run) await runStep(db, set, { each, end: given.end })
  return plan.left
}

/**
 * Runs the steps that have not run yet and may run now. Of several replicas and services at once, one runs and the others wait.
 * Returns the contract steps that are left, because code that runs still needs what they take away, or because of the phase.
 * @throws MigrationRefused when this version cannot work with the schema, or not follow upon the version that runs; the step's error
 */
export const migrate = <Tables>(db: Kysely<Tables>, set: MigrationSet, options: MigrateOptions = {}): Promise<readonly string[]> =>
  withStatementLimit(Number.POSITIVE_INFINITY, () =>
    db.connection().execute(async (connection) => {
      const { phase = 'start', timeoutMilliseconds = TIMEOUT_MILLISECONDS } = options
      const end = Date.now() + timeoutMilliseconds
      const send: Send = (text) => connection.executeQuery(CompiledQuery.raw(text))
      for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
        const left = await withMigrationLock(send, () => round(connection, set, { phase, end }))
        if (phase !== 'contract' || left.length === 0 || Date.now() + wait > end) return left
        await pause(wait)
      }
    }),
  )
