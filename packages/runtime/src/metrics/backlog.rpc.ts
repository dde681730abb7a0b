import { BacklogDefinition } from '@rookery/contracts/events'
import { countDeadLetters, readOutboxState } from '@rookery/events'
import { countJobs } from '@rookery/jobs'
import { type Handler, handler } from '@rookery/rpc'
import type { Measured } from './stored.metrics.ts'

/** The size of the service's own schema, tables and indexes, in bytes. */
const storedBytes = async ({ database }: Measured): Promise<number> => {
  const { rows } = await database.pool.query<{ bytes: string }>(`
    select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'm')`)
  return Number(rows[0]?.bytes ?? 0)
}

const databaseVersion = async ({ database }: Measured): Promise<string> => {
  const { rows } = await database.pool.query<{ version: string }>(`select current_setting('server_version') as version`)
  return rows[0]?.version.split(' ')[0] ?? ''
}

const none = async () => 0

/** The gauges of a service's own backlog: how much awaits staff, and the bytes of its files. */
type OwnCounts = { forStaff?: () => Promise<number>; fileBytes?: () => Promise<number> }

/** Serves Backlog for one service. */
export const backlogRpc = (measured: Measured, { forStaff = none, fileBytes = none }: OwnCounts = {}): Handler =>
  handler(BacklogDefinition, {
    read: async () => {
      const [outbox, letters, jobs, bytes, waiting, files, version] = await Promise.all([
        readOutboxState(measured.database.db),
        countDeadLetters(measured.database.db),
        countJobs(measured.database.pool, measured.service),
        storedBytes(measured),
        forStaff(),
        fileBytes(),
        databaseVersion(measured),
      ])
      return {
        outbox: outbox.events,
        deadLetters: [...letters.values()].reduce((sum, count) => sum + count, 0),
        jobs,
        storedBytes: bytes,
        forStaff: waiting,
        fileBytes: files,
        databaseVersion: version,
      }
    },
  })
