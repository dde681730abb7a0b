import type { Tx } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { noticeOf } from './notices.ts'

/** Work that is due at some time: a row until it is done, retried when it fails, visible to an operator when every try failed. */
export type Job<Payload = unknown> = {
  /** Unique within the service, e.g. send-mail. */
  readonly name: string
  /**
   * Must bear being run twice: a process may die after the work and before the row is gone. `signal` aborts a few seconds after the process
   * was asked to end: what takes longer should then throw its reason, to go on elsewhere.
   */
  run(payload: Payload, signal?: AbortSignal): Promise<void>
  /**
   * A cron pattern (minutes) for work that is due by itself. One run ends before the next begins, and of those that wait there is one; with an
   * hour in the pattern, what was due while no process ran is due when one runs again.
   */
  readonly cron?: string
  /** Jobs of a lane have workers of their own: what takes minutes does not hold up what takes moments. */
  readonly lane?: string
  /** Jobs of a queue run in the order in which they were added: one that meets an outage is tried again while those behind it wait. */
  readonly inOrder?: boolean
}

/** Declares a job, typed by its payload. */
export const job = <Payload>(declared: Job<Payload>): Job => declared as Job

type JobOptions = {
  runAt?: Date
  /** At most one waiting job has this key; a later one replaces it. */
  key?: string
  /** A job that replaces a waiting one is due when that was. */
  keepsTime?: boolean
  /** Tries before it is left for an operator; waiting grows exponentially between them. */
  attempts?: number
  /**
   * Jobs of one queue run one after the other, as they become due and were added; all of them are of one lane, which looks for the next when one
   * ends. Queues are never forgotten: their names come from a small set.
   */
  queue?: string
}

/** The schema a service's jobs live in, beside its own. */
export const jobSchema = (service: string): string => `${service}_jobs`

/** Adds a job to the transaction of what makes it due. */
export const addJob = async <Tables>(
  tx: Tx<Tables>,
  service: string,
  name: string,
  payload: object,
  options: JobOptions = {},
): Promise<void> => {
  // Of jobs that are due at one time any may be taken first, and all of one transaction begin at one time.
  const now = options.queue ? sql`clock_timestamp()` : sql`null`
  await sql`select ${sql.id(jobSchema(service))}.add_job(${name}::text, payload := ${JSON.stringify(payload)}::json,
    run_at := coalesce(${options.runAt ?? null}::timestamptz, ${now}), max_attempts := ${options.attempts ?? 12}::int, job_key := ${options.key ?? null}::text,
    job_key_mode := ${options.keepsTime ? 'preserve_run_at' : 'replace'}::text, queue_name := ${options.queue ?? null}::text),
    ${sql.raw(noticeOf(jobSchema(service), name))}`.execute(tx)
}

/** How a recurring job is added: its runs follow each other, and at most one waits. */
export const besideNone = (name: string) => ({ queueName: name, jobKey: name })

/** Has a recurring job run soon, once the transaction commits. */
export const runSoon = <Tables>(tx: Tx<Tables>, service: string, name: string): Promise<void> => {
  const { queueName: queue, jobKey: key } = besideNone(name)
  return addJob(tx, service, name, {}, { queue, key })
}

/**
 * The part of a statement that adds jobs of one name together with the rows it writes, from a source of rows with a payload (json) and a
 * key (text) each. Postgres runs it only where the statement reads its result, which is one row or none.
 */
export const addingJobs = (service: string, name: string, source: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${sql.raw(noticeOf(jobSchema(service), name, 'count(made)'))} from (
    select ${sql.id(jobSchema(service))}.add_job(${sql.lit(name)}::text, payload := added.payload, job_key := added.key, max_attempts := 12) made
    from ${source} added) added
  having count(made) > 0`

/** Adds several jobs of one name, each under a key of its own, by one statement. */
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

/** Takes back the waiting job of a key, if there is one. */
export const removeJob = async <Tables>(tx: Tx<Tables>, service: string, key: string): Promise<void> => {
  await sql`select ${sql.id(jobSchema(service))}.remove_job(${key}::text)`.execute(tx)
}
