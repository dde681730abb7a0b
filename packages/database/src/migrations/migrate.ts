import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { withStatementLimit } from '../session/index.ts'
import { isDeadlock } from '../transact.ts'
import type { Baseline } from './baseline.ts'
import { type MigrationPhase, type NamedStep, needsBaseline, planMigration } from './migration.rules.ts'
import { findRanSteps, findRunningCode, insertRanStep, insertReplacedSteps, prepareLedger } from './migration.store.ts'
import { type Send, withMigrationLock } from './migration-lock.ts'
import type { MigrationSet } from './migration-set.ts'

/** lock_timeout of a step: requests queue behind a step that waits for a lock. */
const LOCK_TIMEOUT = '1s'
/** Then it lets requests pass and retries with growing pauses, for this long. */
const TIMEOUT_MILLISECONDS = 240_000
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 15_000

type MigrateOptions = {
  /** `start` by default. */
  phase?: MigrationPhase
  /** How long to wait for locks, and with `contract` for old code to end, in milliseconds; 4 minutes by default. */
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

/** Runs a step, and retries it while others hold the locks it needs. */
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

/** Creates a schema that is not in use yet. */
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
 * Runs the pending steps that may run now. Of several replicas and services at once, one runs and the others wait. Returns the contract
 * steps that remain, because running code still needs what they remove, or because of the phase.
 * @throws MigrationRefused when this version cannot work with the schema, or cannot run beside the running version; the step's error
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
