import type { Tx } from '@rookery/database'
import { Logger, parseCronItems, run, runMigrations, runOnce, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'

/** Work that is due at some time: a row until it is done, tried again when it fails, visible to an operator when it was tried too often. */
export type Job<Payload = unknown> = {
  /** Unique within the service, e.g. send-mail. */
  readonly name: string
  /** Must bear being run twice: a process may die after the work and before the row is gone. */
  run(payload: Payload): Promise<void>
  /** A cron pattern (minutes) for work that comes round by itself. */
  readonly cron?: string
}

/** Declares a job, typed by its payload. */
export const job = <Payload>(declared: Job<Payload>): Job => declared as Job

export type JobOptions = {
  runAt?: Date
  /** At most one waiting job has this key; a later one replaces it. */
  key?: string
  /** Tries before it is left for an operator; waiting grows exponentially between them. */
  attempts?: number
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
  await sql`select ${sql.id(jobSchema(service))}.add_job(${name}::text, payload := ${JSON.stringify(payload)}::json,
    run_at := ${options.runAt ?? null}::timestamptz, max_attempts := ${options.attempts ?? 12}::int, job_key := ${options.key ?? null}::text)`.execute(
    tx,
  )
}

/** Takes back the waiting job of a key, if there is one. */
export const removeJob = async <Tables>(tx: Tx<Tables>, service: string, key: string): Promise<void> => {
  await sql`select ${sql.id(jobSchema(service))}.remove_job(${key}::text)`.execute(tx)
}

/** Runs a service's jobs. */
export type Worker = {
  /** Runs everything that is due now, in tests where no worker runs by itself. */
  runDue(): Promise<void>
  close(): Promise<void>
}

export type WorkerOptions = {
  url: string
  service: string
  jobs: readonly Job[]
  /** Told of every failed try. */
  onError?: (error: unknown, job: string) => void
  /** Off in tests: jobs then run only by runDue. */
  isRunning?: boolean
  connections?: number
}

const quiet = new Logger(() => () => {})

const tasksOf = (options: WorkerOptions): TaskList =>
  Object.fromEntries(
    options.jobs.map((declared) => [
      declared.name,
      async (payload: unknown) => {
        try {
          await declared.run(payload)
        } catch (error) {
          options.onError?.(error, declared.name)
          throw error
        }
      },
    ]),
  )

/** Connections of the worker's own. One that breaks at whatever moment is replaced and never ends the process. */
const openPool = (url: string, connections: number) => {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  return pool
}

/** Makes the schema of a service's jobs, or brings it up to date. Safe with several replicas at once. */
export const migrateJobs = async (url: string, service: string): Promise<void> => {
  const pgPool = openPool(url, 1)
  try {
    await runMigrations({ pgPool, schema: jobSchema(service), logger: quiet })
  } finally {
    await pgPool.end()
  }
}

/** Starts working a service's jobs (graphile-worker: rows claimed by any number of replicas, woken by NOTIFY). */
export const startWorker = async (options: WorkerOptions): Promise<Worker> => {
  const taskList = tasksOf(options)
  const crontab = options.jobs.flatMap((declared) =>
    declared.cron ? [{ match: declared.cron, task: declared.name, identifier: declared.name }] : [],
  )
  const pgPool = openPool(options.url, options.connections ?? 3)
  const settings = {
    pgPool,
    schema: jobSchema(options.service),
    logger: quiet,
    noHandleSignals: true,
    concurrency: 2,
    pollInterval: 5000,
  }
  const parsedCronItems = parseCronItems(crontab)
  const runner = options.isRunning === false ? undefined : await run({ ...settings, taskList, parsedCronItems })
  let closing: Promise<void> | undefined
  const close = async () => {
    await runner?.stop()
    await pgPool.end()
  }
  return {
    runDue: () => runOnce({ ...settings, taskList }),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
