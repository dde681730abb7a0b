import { BacklogDefinition } from '@rookery/contracts/events'
import { countDeadLetters, readOutboxState } from '@rookery/events'
import { countJobs } from '@rookery/jobs'
import { type Handler, handler } from '@rookery/rpc'
import type { Measured } from './stored.metrics.ts'

/** Bytes of the tables and indexes of the service's own schema. */
const storedBytes = async ({ database }: Measured): Promise<number> => {
  const { rows } = await database.pool.query<{ bytes: string }>(`
    select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'm')`)
  return Number(rows[0]?.bytes ?? 0)
}

/** The service Backlog of the contract, of one service; `forStaff` counts what waits for people there. */
export const backlogRpc = (measured: Measured, forStaff: () => Promise<number> = async () => 0): Handler =>
  handler(BacklogDefinition, {
    read: async () => {
      const [outbox, letters, jobs, bytes, waiting] = await Promise.all([
        readOutboxState(measured.database.db),
        countDeadLetters(measured.database.db),
        countJobs(measured.database.pool, measured.service),
        storedBytes(measured),
        forStaff(),
      ])
      return {
        outbox: outbox.events,
        deadLetters: [...letters.values()].reduce((sum, count) => sum + count, 0),
        jobs,
        storedBytes: bytes,
        forStaff: waiting,
      }
    },
  })
