import { expect } from 'vitest'
import { openDatabase } from '../packages/database/src/index.ts'

/** When the first is due, and how far apart they are, in milliseconds. */
const SOON = 1000
const APART = 150

/** What falls due: the statement that keeps a moment ($2) by id ($1), and the job that is then run. */
export type Dated = { keep: string; task: string; payloadOf: (id: string, at: number) => object; keyOf: (id: string) => string }

/** Brings moments of statuses so near that a test can wait for them, which no request may, in the database behind a socket. */
export const makeDue = async (socket: string, ids: readonly string[], { keep, task, payloadOf, keyOf }: Dated): Promise<void> => {
  const database = openDatabase({ url: `postgres://postgres@localhost:5432/rookery?host=${encodeURIComponent(socket)}`, connections: 1 })
  const keys = ids.map(keyOf)
  const jobsMade = async () => {
    const { rows } = await database.pool.query('select count(*)::int from statuses_jobs._private_jobs where key = any($1)', [keys])
    return rows[0].count
  }
  try {
    // A job that an event makes may be made later than the request is answered, and would then replace the earlier one.
    await expect.poll(jobsMade).toBe(ids.length)
    const from = Date.now() + SOON
    for (const [index, id] of ids.entries()) {
      const at = from + index * APART
      await database.pool.query(keep, [id, new Date(at)])
      await database.pool.query('select statuses_jobs.add_job($1, $2::json, run_at := $3::timestamptz, job_key := $4)', [
        task,
        JSON.stringify(payloadOf(id, at)),
        new Date(at),
        keyOf(id),
      ])
    }
  } finally {
    await database.close()
  }
}
