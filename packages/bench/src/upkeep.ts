import { setTimeout as pause } from 'node:timers/promises'
import type { Harness } from './harness.ts'
import { readHomes } from './resumption.ts'
import { accountIdOf } from './seed.ts'
import { quantile } from './streams.ts'
import type { Line } from './table.ts'
import { insertStatusesOf } from './writes.ts'

/** The account that is deleted, and the number of its statuses. */
const GONE = 300
const STATUSES = 100_000
const PATIENCE_MILLISECONDS = 900_000

/** The services with recurring jobs. */
const SERVICES = ['auth', 'statuses', 'media', 'notifications', 'federation']

/** Runs a job now: its workers listen on the channel of the schema (`noticeOf` of packages/jobs). */
const addJob = ({ client }: Pick<Harness, 'client'>, service: string, name: string) =>
  client.query(`select ${service}_jobs.add_job($1, queue_name := $1, job_key := $1), pg_notify('${service}_jobs', $1 || ' 1')`, [name])

/** Polls until a statement finds no rows; resolves to the milliseconds. @throws Error on a timeout */
const untilNone = async ({ client }: Pick<Harness, 'client'>, statement: string, values: unknown[]): Promise<number> => {
  const startedAt = performance.now()
  while ((await client.query(statement, values)).rowCount) {
    if (performance.now() > startedAt + PATIENCE_MILLISECONDS) throw new Error(`still there after a quarter of an hour: ${statement}`)
    await pause(20)
  }
  return performance.now() - startedAt
}

/** The processor time of Postgres and the server during work, in milliseconds. */
const spentOn = async ({ usage }: Harness, work: () => Promise<void>) => {
  const before = usage()
  await work()
  const after = usage()
  return `${Math.round((after.server.seconds - before.server.seconds) * 1000)} + ${Math.round((after.database.seconds - before.database.seconds) * 1000)} ms of processors`
}

/** Measures how long the deletion of an account with very many statuses takes, and how long others wait for their homes meanwhile. */
const measureRemoval = async (harness: Harness): Promise<Line> => {
  const { client, origin } = harness
  await insertStatusesOf(harness, [GONE], STATUSES)
  let seconds = 0
  let waits: number[] = []
  const spent = await spentOn(harness, async () => {
    await client.query('update statuses.account set closed_at = now(), is_active = false, version = version + 1 where id = $1', [
      accountIdOf(GONE),
    ])
    await addJob(harness, 'statuses', 'remove-closed-accounts')
    const stopReading = readHomes(origin)
    seconds = (await untilNone(harness, 'select 1 from statuses.account where id = $1', [accountIdOf(GONE)])) / 1000
    waits = await stopReading()
  })
  return {
    what: `home of 20, one reader, while an account of ${STATUSES} statuses goes`,
    p50: quantile(waits, 0.5),
    p99: quantile(waits, 0.99),
    remark: `${seconds.toFixed(0)} s until it was gone, ${spent}`,
  }
}

/** Measures each recurring job when nothing has happened since its last run. */
const measureJobs = async (harness: Harness): Promise<Line[]> => {
  const { client } = harness
  const lines: Line[] = []
  for (const service of SERVICES) {
    const { rows } = await client.query<{ name: string }>(
      `select identifier as name from ${service}_jobs._private_known_crontabs order by identifier`,
    )
    for (const { name } of rows) {
      const runOnce = async () => {
        await addJob(harness, service, name)
        return untilNone(
          harness,
          `select 1 from ${service}_jobs._private_jobs job join ${service}_jobs._private_tasks task on task.id = job.task_id
           where identifier = $1`,
          [name],
        )
      }
      // The first run does what earlier measurements left over.
      await runOnce()
      let milliseconds = 0
      const spent = await spentOn(harness, async () => {
        milliseconds = await runOnce()
      })
      lines.push({ what: `job ${name} of ${service}`, p50: milliseconds, remark: spent })
    }
  }
  return lines
}

/** Measures background work. */
export const measureUpkeep = async (harness: Harness): Promise<Line[]> => [await measureRemoval(harness), ...(await measureJobs(harness))]
