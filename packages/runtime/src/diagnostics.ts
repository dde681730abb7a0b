import { DiagnosticsDefinition, type ServiceBacklog } from '@rookery/contracts/common'
import { countDeadLetters, readOutboxState } from '@rookery/events'
import { edgeWarnings } from '@rookery/http'
import { countJobs } from '@rookery/jobs'
import { type Handler, handler } from '@rookery/rpc'
import { type Checks, faultsOf } from './health.ts'
import type { Logger } from './logger.ts'
import type { Measured } from './metrics/index.ts'

type Examined = {
  baseUrl: string | undefined
  checks: Checks
  degraded: Checks
  notes: readonly string[]
  warnings: readonly (() => Promise<readonly string[]>)[]
  log: Logger
  stores: readonly (Measured & { hasJobs: boolean })[]
}

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, each) => sum + each, 0)

const clockOffset = async ({ database }: Measured): Promise<number> => {
  const before = Date.now()
  const { rows } = await database.pool.query<{ now: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as now')
  // Assumes that the database read its clock halfway between request and answer.
  return Math.round(rows[0]!.now - (before + Date.now()) / 2)
}

const backlogOf = async (store: Measured & { hasJobs: boolean }): Promise<ServiceBacklog> => {
  const { service, database } = store
  const [offset, outbox, letters, jobs] = await Promise.all([
    clockOffset(store),
    readOutboxState(database.db),
    countDeadLetters(database.db),
    store.hasJobs ? countJobs(database.pool, service) : [],
  ])
  const { oldestMilliseconds } = outbox
  return {
    service,
    databaseClockOffsetMilliseconds: offset,
    outboxEvents: outbox.events,
    outboxOldestMilliseconds: oldestMilliseconds === undefined ? 0 : Math.max(0, Math.round(Date.now() - oldestMilliseconds)),
    deadLetters: sumOf(letters.values()),
    jobsDue: sumOf(jobs.map(({ due }) => due)),
    jobsRetrying: sumOf(jobs.map(({ retrying }) => retrying)),
    jobsExhausted: sumOf(jobs.map(({ exhausted }) => exhausted)),
  }
}

/** Serves `rookery doctor`: the faults of this process, the backlogs of its databases, and the offsets of their clocks. */
export const diagnosticsHandler = ({ baseUrl = '', checks, degraded, notes, warnings, log, stores }: Examined): Handler =>
  handler(DiagnosticsDefinition, {
    examine: async () => {
      const faults = Object.entries(await faultsOf({ ...checks, ...degraded })).map(([part, fault]) => ({ part, fault }))
      const read = await Promise.allSettled(stores.map(backlogOf))
      const unread = read.flatMap((each, index) =>
        each.status === 'rejected' ? [{ part: `database of ${stores[index]!.service}`, fault: (each.reason as Error).message }] : [],
      )
      const backlogs = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      const own = await Promise.all(warnings.map((read) => read()))
      const all = [...edgeWarnings(log), ...own.flat()]
      const found = { faults: [...faults, ...unread], notes: [...notes], warnings: all, backlogs }
      return { baseUrl, clockMilliseconds: Date.now(), ...found }
    },
  })
