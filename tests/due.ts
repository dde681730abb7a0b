import { openDatabase } from '../packages/database/src/index.ts'

/** Brings the times of scheduled statuses so near that a test can wait for them, which no request may. Times in milliseconds. */
export const makeDue = async (socket: string, ids: readonly string[], { from, apart }: { from: number; apart: number }): Promise<void> => {
  const database = openDatabase({ url: `postgres://postgres@localhost:5432/rookery?host=${encodeURIComponent(socket)}`, connections: 1 })
  try {
    for (const [index, id] of ids.entries()) {
      const at = from + index * apart
      await database.pool.query('update statuses.scheduled_status set scheduled_at = $2 where id = $1', [id, new Date(at)])
      await database.pool.query('select statuses_jobs.add_job($1, $2::json, run_at := $3::timestamptz, job_key := $4)', [
        'publish-scheduled-status',
        JSON.stringify({ id, at }),
        new Date(at),
        `scheduled:${id}`,
      ])
    }
  } finally {
    await database.close()
  }
}
