import type { Tx } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { noticeOf } from './notices.ts'

/** A background job: a row until it is done, retried when it fails, visible to an operator when every attempt failed. */
export type Job<Payload = unknown> = {
  /** Unique within the service, e.g. send-mail. */
  readonly name: string
  /**
   * Must be idempotent: a process may die after the work but before the row is deleted. `signal` aborts a few seconds after the shutdown
   * began: work that takes longer should then throw its reason, and is resumed by another process.
   */
  run(payload: Payload, signal?: AbortSignal): Promise<void>
  /**
   * A cron pattern (minutes) for a recurring job. Runs do not overlap, and at most one waits. With an hour in the pattern, a run that was
   * missed while no process ran is made up for.
   */
  readonly cron?: string
  /** Jobs of a lane have their own workers, so that slow jobs do not delay fast ones. */
  readonly lane?: string
  /** Jobs of a queue run in the order in which they were added: one that meets an outage is retried while those behind it wait. */
  readonly inOrder?: boolean
}

/** Declares a job, typed by its payload. */
export const job = <Payload>(declared: Job<Payload>): Job => declared as Job

type JobOptions = {
  runAt?: Date
  /** At most one waiting job has this key; a later one replaces it. */
  key?: string
  /** A job that replaces a waiting one keeps its due time. */
  keepsTime?: boolean
  /** Maximum attempts; the pauses between them grow exponentially. */
  attempts?: number
  /**
   * Jobs of one queue run one after the other, in the order of their due times and of their adding; all belong to one lane, which looks for
   * the next when one ends. Queues are never deleted: their names come from a small set.
   */
  queue?: string
}

/** The schema of a service's jobs, beside its own. */
export const jobSchema = (service: string): string => `${service}_jobs`

/** Adds a job in a transaction. */
export const addJob = async <Tables>(
  tx: Tx<Tables>,
  service: string,
  name: string,
  payload: object,
  options: JobOptions = {},
): Promise<void> => {
  // Jobs with equal due times run in any order, and now() is the same throughout a transaction.
  const now = options.queue ? sql`clock_timestamp()` : sql`null`
  await sql`select ${sql.id(jobSchema(service))}.add_job(${name}::text, payload := ${JSON.stringify(payload)}::json,
    run_at := coalesce(${options.runAt ?? null}::timestamptz, ${now}), max_attempts := ${options.attempts ?? 12}::int, job_key := ${options.key ?? null}::text,
    job_key_mode := ${options.keepsTime ? 'preserve_run_at' : 'replace'}::text, queue_name := ${options.queue ?? null}::text),
    ${sql.raw(noticeOf(jobSchema(service), name))}`.execute(tx)
}

/** The queue and key of a recurring job: its runs do not overlap, and at most one waits. */
export const withoutOverlap = (name: string) => ({ queueName: name, jobKey: name })

/** Makes a recurring job due once the transaction commits. */
export const runSoon = <Tables>(tx: Tx<Tables>, service: string, name: string): Promise<void> => {
  const { queueName: queue, jobKey: key } = withoutOverlap(name)
  return addJob(tx, service, name, {}, { queue, key })
}

/**
 * A part of a statement that adds a job for each row of a source, with a payload (json) and a key (text). Postgres runs it only where the
 * statement reads its result, which is one row or none.
 */
export const addingJobs = (service: string, name: string, source: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${sql.raw(noticeOf(jobSchema(service), name, 'count(made)'))} from (
    select ${sql.id(jobSchema(service))}.add_job(${sql.lit(name)}::text, payload := added.payload, job_key := added.key, max_attempts := 12) made
    from ${source} added) added
  having count(made) > 0`

/** Adds several jobs of one name, each under its own key, in one statement. */
export const addJobs = async <Tables>(
  tx: Tx<Tables>,
  service: string,
  name: string,
  jobs: readonly { payload: object; key: string }[],
): Promise<void> => {
  if (jobs.length === 0) return
  const payloads = jobs.map(({ payload }) => JSON.stringify(payload))
  const keys = jobs.map(({ key }) => key)
  const source = sql`(select * from unnest(${payloads}::json[], ${keys}::text[]) as given (payload, key))`
  await addingJobs(service, name, source).execute(tx)
}

/** Removes the waiting job of a key, if there is one. */
export const removeJob = async <Tables>(tx: Tx<Tables>, service: string, key: string): Promise<void> => {
  await sql`select ${sql.id(jobSchema(service))}.remove_job(${key}::text)`.execute(tx)
}
