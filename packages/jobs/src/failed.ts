import type pg from 'pg'
import { jobSchema } from './job.ts'

/** A job that used up its attempts. Its payload stays in the table. */
export type FailedJob = { id: string; job: string; attempts: number; error: string; failedAt: Date }

const FAILED = 'attempts >= max_attempts and locked_at is null'

/** The latest failed jobs of a service. */
export const readFailedJobs = async (pool: pg.Pool, service: string, limit: number): Promise<FailedJob[]> => {
  const { rows } = await pool.query<FailedJob>(
    `select id::text as id, task_identifier as job, attempts, coalesce(last_error, '') as error, updated_at as "failedAt"
     from ${jobSchema(service)}.jobs where ${FAILED} order by updated_at desc, id desc limit $1`,
    [limit],
  )
  return rows
}

/** Maximum jobs per statement. */
const AT_ONCE = 1000

/** The ids of those of the given jobs that have failed; for null, of failed jobs up to the maximum. */
const failedAmong = async (pool: pg.Pool, service: string, ids: readonly string[] | null): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `select id::text as id from ${jobSchema(service)}.jobs where ${FAILED} and ($1::bigint[] is null or id = any($1::bigint[])) order by id limit $2`,
    [ids, AT_ONCE],
  )
  return rows.map(({ id }) => id)
}

/** Makes failed jobs due again, with all their attempts: the given ones, or all for null. Returns how many. */
export const retryFailedJobs = async (pool: pg.Pool, service: string, ids: readonly string[] | null): Promise<number> => {
  const failed = await failedAmong(pool, service, ids)
  await pool.query(`select from ${jobSchema(service)}.reschedule_jobs($1::bigint[], run_at := now(), attempts := 0)`, [failed])
  return failed.length
}

/** Deletes failed jobs: the given ones, or all for null. Returns how many. */
export const discardFailedJobs = async (pool: pg.Pool, service: string, ids: readonly string[] | null): Promise<number> => {
  const failed = await failedAmong(pool, service, ids)
  await pool.query(`select from ${jobSchema(service)}.complete_jobs($1::bigint[])`, [failed])
  return failed.length
}
