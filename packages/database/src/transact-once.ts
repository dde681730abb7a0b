import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { deleteInPieces } from './delete-in-pieces.ts'
import { type Tx, transact } from './transact.ts'

/** A step of a request: its call, which has a reservation if the request may be repeated, and a name that is unique within the request. */
export type Step = { readonly call: { readonly reservation?: string | undefined }; readonly step: string }

/** Creates the table of completed steps, for the schema of a service that uses `transactOnce`. */
export const createCompletedSteps = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table completed_step (
      reservation text not null,
      step text not null,
      result text,
      created_at timestamptz not null default now(),
      primary key (reservation, step)
    )`.execute(db)
  // For deleting old steps.
  await sql`create index completed_step_age on completed_step (created_at)`.execute(db)
}

/** The result of a completed step; undefined if it was not completed, or belongs to no reservation. */
export const completedStep = async <Result>(db: QueryExecutorProvider, { call, step }: Step): Promise<Result | undefined> => {
  if (call.reservation === undefined) return undefined
  const { rows } = await sql<{ result: string | null }>`
    select result from completed_step where reservation = ${call.reservation} and step = ${step}`.execute(db)
  return rows[0]?.result ? JSON.parse(rows[0].result) : undefined
}

/**
 * Records a step and its result, in the transaction that completes it. Returns whether it was not completed before; waits for a concurrent
 * transaction with the same step. Without a reservation nothing is recorded.
 */
export const completeStep = async <Tables>(tx: Tx<Tables>, { call, step }: Step, result?: unknown): Promise<boolean> => {
  if (call.reservation === undefined) return true
  const { rows } = await sql`
    insert into completed_step (reservation, step, result) values (${call.reservation}, ${step}, ${JSON.stringify(result) ?? null})
    on conflict do nothing returning step`.execute(tx)
  return rows.length > 0
}

/**
 * `transact` for requests that may be repeated: the work takes effect once, its result is stored in the same transaction, and a repeat gets
 * the stored result. The result must be JSON without secrets. Without a reservation it is `transact`, at no extra cost.
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

/** Deletes the steps completed before a time, in batches. */
export const forgetSteps = <Tables>(db: Kysely<Tables>, before: Date): Promise<void> =>
  deleteInPieces(db, 'completed_step', sql`created_at < ${before}`)
