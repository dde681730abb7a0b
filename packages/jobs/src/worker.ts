import { once } from 'node:events'
import { LONG_STATEMENT, openPool, type PoolOptions, type SessionLimits, withMigrationLock, withStatementLimit } from '@rookery/database'
import { type JobHelpers, Logger, parseCronItems, run, runMigrations, runOnce, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { requeue, runInOrder } from './in-order.ts'
import { type Job, jobSchema, withoutOverlap } from './job.ts'
import { keepRunning } from './keep-running.ts'
import { livingPools } from './living-pools.ts'
import { type MissedLooks, missedLooks } from './missed-looks.ts'
import { pollSooner, watchFreed } from './poll-sooner.ts'

/** Runs a service's jobs. */
export type Worker = {
  /** Runs everything that is due now, in tests where workers do not run by themselves. Returns whether anything was. */
  runDue(): Promise<boolean>
  /** When it last looked for jobs or finished one (performance.now()); the current time while one runs. It looks at every poll. */
  lastSign(): number
  close(): Promise<void>
}

/** Receives the metrics of each run of a job. */
export type JobObserver = (run: { service: string; job: string; hasFailed: boolean; seconds: number }) => void

export type WorkerOptions = {
  url: string
  service: string
  jobs: readonly Job[]
  /** Called for every failed attempt. */
  onError?: (error: unknown, job: string) => void
  observe?: JobObserver
  /** False in tests: jobs then run only by runDue. */
  isRunning?: boolean
  /** Connections for each lane, in a pool that all share: 3 by default, one of which listens. */
  connections?: number
  /** How many jobs run concurrently: 2 by default. */
  atOnce?: number
  /** How often to look for jobs without a notification, in milliseconds. */
  pollMilliseconds?: number
  /** How often to look for jobs of killed processes, in milliseconds. */
  sweepMilliseconds?: number
  limits?: Partial<SessionLimits>
}

const POLL_MILLISECONDS = 5000
const SWEEP_MILLISECONDS = 5000

const JOBS_AT_ONCE = 2
const CONNECTIONS = 3

const quiet = new Logger(() => () => {})

const tasksOf = (options: WorkerOptions, schema: string, onWork: (change: 1 | -1) => void): TaskList =>
  Object.fromEntries(
    options.jobs.map((declared) => [
      declared.name,
      async (payload: unknown, helpers: JobHelpers) => {
        const onError = (error: unknown) => options.onError?.(error, declared.name)
        const run = () => declared.run(payload, helpers.abortSignal)
        const begun = performance.now()
        let hasFailed = false
        onWork(1)
        try {
          await withStatementLimit(LONG_STATEMENT, () =>
            declared.inOrder ? runInOrder(run, { payload, helpers, schema, onError }) : run(),
          )
        } catch (error) {
          // Not an error: another process resumes the job at once.
          if (helpers.abortSignal?.aborted && error === helpers.abortSignal.reason) return await requeue({ payload, helpers, schema })
          hasFailed = true
          onError(error)
          throw error
        } finally {
          onWork(-1)
          options.observe?.({ service: options.service, job: declared.name, hasFailed, seconds: (performance.now() - begun) / 1000 })
        }
      },
    ]),
  )

/** A pool for graphile-worker, which warns about one without this listener: sessions handle their own errors. */
const openJobPool = (options: PoolOptions): pg.Pool => openPool(options).on('connect', () => {})

/** Creates or migrates the schema of a service's jobs. Safe with several replicas at once. */
export const migrateJobs = async (url: string, service: string): Promise<void> => {
  const pgPool = openJobPool({ url, connections: 2, limits: { statement: Number.POSITIVE_INFINITY } })
  const holder = await pgPool.connect()
  try {
    const send = (text: string) => holder.query(text)
    await withMigrationLock(send, () => runMigrations({ pgPool, schema: jobSchema(service), logger: quiet }))
  } finally {
    holder.release()
    await pgPool.end()
  }
}

const isAnyDue = async (pool: pg.Pool, { service, jobs }: Pick<WorkerOptions, 'service' | 'jobs'>) => {
  const schema = pg.escapeIdentifier(jobSchema(service))
  const { rows } = await pool.query(
    `select 1 from ${schema}._private_jobs job join ${schema}._private_tasks task on task.id = job.task_id
     where job.is_available and job.run_at <= now() and task.identifier = any($1) limit 1`,
    [jobs.map(({ name }) => name)],
  )
  return rows.length > 0
}

/**
 * Waits for idle connections: graphile-worker does not wait for the statement that records the end of a job, and until then the job looks
 * as if it still ran.
 */
const nothingSent = async (pool: pg.Pool) => {
  while (pool.waitingCount > 0 || pool.totalCount > pool.idleCount) await once(pool, 'release')
}

/**
 * graphile-worker 0.18 reports a job whose end it cannot record, as while Postgres is unreachable, only when it records ends in batches:
 * then the workers end and start again. Otherwise the error is unhandled, and the process ends.
 */
const HEARD = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

const DAY = 86_400_000
/** A pattern with an hour: at most once a day. */
const NAMES_HOUR = /^\S+ \d+ /

/**
 * The cron items of recurring jobs: runs do not overlap, and those that run at most once a day are made up for when no process ran at their
 * hour.
 */
const cronItemsOf = (jobs: readonly Job[]) =>
  parseCronItems(
    jobs.flatMap(({ name, cron }) =>
      cron
        ? [
            {
              match: cron,
              task: name,
              identifier: name,
              options: { ...withoutOverlap(name), backfillPeriod: NAMES_HOUR.test(cron) ? DAY : 0 },
            },
          ]
        : [],
    ),
  )

/** Shared by the lanes of a service. */
type Shared = { pgPool: pg.Pool; pools: ReturnType<typeof livingPools>; onFreed: ReturnType<typeof watchFreed>; missed: MissedLooks }

/** Starts the workers of one lane. */
const startLane = async (options: WorkerOptions, { pgPool, pools, onFreed, missed }: Shared): Promise<Worker> => {
  let atWork = 0
  const schema = jobSchema(options.service)
  const taskList = tasksOf(options, schema, (change) => {
    atWork += change
  })
  const { atOnce = JOBS_AT_ONCE } = options
  const events = pools.eventsOfPool()
  const settings = {
    pgPool,
    schema,
    events,
    logger: quiet,
    preset: HEARD,
    noHandleSignals: true,
    concurrency: atOnce,
    pollInterval: options.pollMilliseconds ?? POLL_MILLISECONDS,
  }
  pollSooner({ events, schema, names: options.jobs.map(({ name }) => name), workers: atOnce, onFreed, missed })
  let lastSign = performance.now()
  const watched = {
    begin: () => run({ ...settings, taskList, parsedCronItems: cronItemsOf(options.jobs) }),
    events,
    onError: (error: unknown) => options.onError?.(error, 'every job'),
    onSign: () => {
      lastSign = performance.now()
    },
    isAtWork: () => atWork > 0,
  }
  const running = options.isRunning === false ? undefined : await keepRunning(watched)
  return {
    lastSign: () => (atWork > 0 || !running ? performance.now() : lastSign),
    // One at a time: two workers that want the first job of a queue may each hold what the other needs, and both find nothing. Repeated
    // while jobs are due: a run ends early when it looks for the next job of a queue before the last one has left it.
    runDue: async () => {
      let hasRun = false
      for (; await isAnyDue(pgPool, options); hasRun = true) {
        await runOnce({ ...settings, concurrency: 1, taskList })
        await nothingSent(pgPool)
      }
      return hasRun
    },
    close: async () => running?.stop(),
  }
}

/**
 * Starts the workers of a service's jobs (graphile-worker: rows claimed by any number of replicas, woken by NOTIFY); jobs of killed
 * processes are resumed. Each lane has its own workers.
 */
export const startWorker = async (options: WorkerOptions): Promise<Worker> => {
  const { url, limits = {}, connections = CONNECTIONS, sweepMilliseconds = SWEEP_MILLISECONDS } = options
  const jobsByLane = Map.groupBy(options.jobs, ({ lane }) => lane)
  const pgPool = openJobPool({ url, limits, connections: connections * jobsByLane.size })
  const pools = livingPools({ url, limits, schema: jobSchema(options.service), sweepMilliseconds })
  const shared = { pgPool, pools, onFreed: watchFreed(pgPool), missed: missedLooks() }
  const lanes: Worker[] = []
  for (const jobs of jobsByLane.values()) lanes.push(await startLane({ ...options, jobs }, shared))
  let closing: Promise<void> | undefined
  const close = async () => {
    await Promise.all(lanes.map((lane) => lane.close()))
    await pools.close()
    await pgPool.end()
  }
  return {
    lastSign: () => Math.min(...lanes.map((lane) => lane.lastSign())),
    // A job of one lane may make a job of another lane due that was checked before it.
    runDue: async () => {
      let hasRun = false
      for (let round = 0; round < lanes.length; round++) for (const lane of lanes) if (await lane.runDue()) hasRun = true
      return hasRun
    },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
