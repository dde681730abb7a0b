import type pg from 'pg'
import { jobSchema } from './job.ts'

/** The numbers of jobs of a kind: due and not started, failed and waiting for a retry, and failed for good. */
type JobCounts = { job: string; due: number; retrying: number; exhausted: number }

/** The backlog of a service's jobs, by kind; without kinds that never had a job. */
export const countJobs = async (pool: pg.Pool, service: string): Promise<JobCounts[]> => {
  const schema = jobSchema(service)
  const { rows } = await pool.query<JobCounts>(`
    select task.identifier as job,
      count(job.id) filter (where job.run_at <= now() and job.locked_at is null and job.attempts < job.max_attempts)::int as due,
      count(job.id) filter (where job.attempts between 1 and job.max_attempts - 1 and job.locked_at is null)::int as retrying,
      count(job.id) filter (where job.attempts >= job.max_attempts and job.locked_at is null)::int as exhausted
    from ${schema}._private_tasks task left join ${schema}._private_jobs job on job.task_id = task.id
    group by task.identifier`)
  return rows
}
