import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { deleteInPieces } from './delete-in-pieces.ts'
import { type Tx, transact } from './transact.ts'

/** A step of a request: the call it belongs to, which has a reservation when its request may come again, and a name among the request's steps. */
export type Step = { readonly call: { readonly reservation?: string | undefined }; readonly step: string }

/** The table of completed steps, for the schema of a service that uses `transactOnce`. */
export const createCompletedSteps = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table completed_step (
      reservation text not null,
      step text not null,
      result text,
      created_at timestamptz not null default now(),
      primary key (reservation, step)
    )`.execute(db)
  // Answers: which steps may be forgotten?
  await sql`create index completed_step_age on completed_step (created_at)`.execute(db)
}

/** What a step gave when it was completed; undefined when it was not, or belongs to no reservation. */
export const completedStep = async <Result>(db: QueryExecutorProvider, { call, step }: Step): Promise<Result | undefined> => {
  if (call.reservation === undefined) return undefined
  const { rows } = await sql<{ result: string | null }>`
    select result from completed_step where reservation = ${call.reservation} and step = ${step}`.execute(db)
  return rows[0]?.result ? JSON.parse(rows[0].result) : undefined
}

/**
 * Records a step as completed, with what it gives, in the transaction that completes it. Answers whether that had not been done before; waits
 * for another transaction that is doing it. Without a reservation nothing is recorded.
 */
export const completeStep = async <Tables>(tx: Tx<Tables>, { call, step }: Step, result?: unknown): Promise<boolean> => {
  if (call.reservation === undefined) return true
  const { rows } = await sql`
    insert into completed_step (reservation, step, result) values (${call.reservation}, ${step}, ${JSON.stringify(result) ?? null})
    on conflict do nothing returning step`.execute(tx)
  return rows.length > 0
}

/**
 * `transact` for what takes effect once, however often its request is repeated: what it gave is kept in the same transaction, and a repeat
 * gets that. The result must be JSON without secrets. Without a reservation it is `transact`, and costs nothing more.
 */
export const transactOnce = <Tables, Result>(
  db: Kysely<Tables>,
  once: Step,
  work: (tx: Tx<Tables>) => Promise<Result>,
): Promise<Result> => {
  const { call, step } = once
  if (call.reservation === undefined) return transact(db, work)
  return transact(db, async (tx) => {
    if (!(await completeStep(tx, once))) return (await completedStep(tx, once)) as Result
    const result = await work(tx)
    if (result !== undefined) {
      await sql`
        update completed_step set result = ${JSON.stringify(result)} where reservation = ${call.reservation} and step = ${step}`.execute(tx)
    }
    return result
  })
}

/** Forgets the steps completed before a moment, some at a time. */
export const forgetSteps = <Tables>(db: Kysely<Tables>, before: Date): Promise<void> =>
  deleteInPieces(db, 'completed_step', sql`created_at < ${before}`)
