import type { PortabilityDefinition } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { SERVICE } from '../../service.ts'
import { type ActsDeps, importActs } from './acts.ts'
import { type Import, ImportReader, ImportWriter, type Outcome } from './import.store.ts'

const RUN_IMPORT = 'run-import'

export type RunDeps = {
  database: Database<AuthTables>
  clock: Clock
  baseUrl: string
  statuses: ActsDeps['statuses'] & { dataExport: Client<PortabilityDefinition> }
  federation: ActsDeps['federation']
}

/** Outcomes by kind of failure; other failures are not about the line and are retried. */
const OUTCOMES: Partial<Record<string, Outcome>> = {
  not_found: 'unknown',
  forbidden: 'refused',
  invalid: 'refused',
  malformed: 'refused',
  conflict: 'refused',
}

/** The outcome of an act. @throws errors that are not about the line */
const outcomeOf = async (act: () => Promise<unknown>): Promise<Outcome> => {
  try {
    await act()
    return 'done'
  } catch (error) {
    const outcome = error instanceof Failure ? OUTCOMES[error.kind] : undefined
    if (!outcome) throw error
    return outcome
  }
}

/** The index of the cell with a handle, by kind. */
const HANDLE_AT: Partial<Record<string, number>> = { following: 0, blocks: 0, mutes: 0, lists: 1 }

/** The identity of a row: its first cells, without options. Handles are normalised as exports of this server write them. */
const createKeyOf = (baseUrl: string) => {
  const { host } = new URL(baseUrl)
  const withServer = (acct: string) => acct.replace(/^@?([^@]+)(@.*)?$/, (_all, name: string, server = `@${host}`) => `${name}${server}`)
  return (kind: string, cells: readonly string[]) => {
    const key = cells.slice(0, kind === 'lists' ? 2 : 1)
    return JSON.stringify(key.map((cell, index) => (index === HANDLE_AT[kind] ? withServer(cell) : cell))).toLowerCase()
  }
}

/** The progress of a run: `nothing` to import, `some` lines imported, or `waits` until more lookups on other servers are allowed. */
type Progress = 'nothing' | 'some' | 'waits'

/** The time limit of a run, in milliseconds, checked between lines: other servers may be slow to answer lookups. */
const TURN = 20_000
/** The pause of an account's imports when the limit of lookups on other servers is reached, in milliseconds. */
const PAUSE = 60_000

/** Returns `waits` when the limit of lookups on other servers is reached. @throws other errors */
const orWait = (error: unknown): Progress => {
  if (error instanceof Failure && error.kind === 'exhausted') return 'waits'
  throw error
}

/** Imports the next lines of an account's oldest unfinished file. */
const readOnIn = (deps: RunDeps) => {
  const acts = importActs(deps)
  const keyOf = createKeyOf(deps.baseUrl)
  const { db } = deps.database
  const now = () => new Date(deps.clock.now())
  const write = <Result>(work: (writer: ImportWriter) => Promise<Result>) => transact(db, (tx) => work(new ImportWriter(tx)))

  const clear = async ({ id, accountId, kind }: Import) => {
    const kept = new Set((await new ImportReader(db).cells(id)).map((cells) => keyOf(kind, cells)))
    for (let afterId = ''; ; ) {
      const { rows, lastId } = await deps.statuses.dataExport.readRows(callWithin(20), { accountId, kind, afterId })
      for (const { cells } of rows) if (!kept.has(keyOf(kind, cells))) await outcomeOf(async () => acts[kind]?.undo(accountId, cells))
      if (!lastId) break
      afterId = lastId
    }
    await write((writer) => writer.clear(id, now()))
  }

  const readOn = async (accountId: string): Promise<Progress> => {
    const reader = new ImportReader(db)
    const file = await reader.firstUnfinished(accountId)
    if (!file) return 'nothing'
    if (file.replaces && !file.clearedAt) await clear(file)
    const lines = await reader.waiting(file.id)
    const end = performance.now() + TURN
    for (const { line, cells } of lines) {
      if (performance.now() > end) break
      const outcome = await outcomeOf(async () => acts[file.kind]?.apply(accountId, cells))
      await write((writer) => writer.finishLine(file.id, line, outcome))
    }
    if (lines.length === 0) await write((writer) => writer.finish(file.id, now()))
    return 'some'
  }
  return (accountId: string) => readOn(accountId).catch(orWait)
}

/**
 * Each account always uses the same queue, so that its files are imported one after the other. Few queues, since queues are never deleted.
 */
const QUEUES = 8

/** Adds the job that imports an account's files, with the transaction; `runAt` delays it. */
export const requestImport = (tx: Tx<AuthTables>, accountId: string, runAt?: Date): Promise<void> =>
  addJob(
    tx,
    SERVICE,
    RUN_IMPORT,
    { accountId },
    { key: `${RUN_IMPORT}:${accountId}`, queue: `imports-${BigInt(accountId) % BigInt(QUEUES)}`, ...(runAt && { runAt }) },
  )

/**
 * Imports an account's files line by line. The outcome of each line is stored before the next, so that a killed run is resumed. After some
 * lines or seconds the job adds itself again, so that long files do not block those of others.
 */
export const runImport = (deps: RunDeps): Job => {
  const readOn = readOnIn(deps)
  return job<{ accountId: string }>({
    name: RUN_IMPORT,
    run: async ({ accountId }) => {
      const progress = await readOn(accountId)
      if (progress === 'nothing') return
      const runAt = progress === 'waits' ? new Date(deps.clock.now() + PAUSE) : undefined
      await transact(deps.database.db, (tx) => requestImport(tx, accountId, runAt))
    },
  })
}

/** Adds jobs for unfinished imports, in case their job failed for good. */
export const runImports = ({ database }: RunDeps): Job =>
  job<unknown>({
    name: 'run-imports',
    cron: '*/5 * * * *',
    run: async () => {
      const waiting = await new ImportReader(database.db).peopleWaiting()
      await transact(database.db, async (tx) => {
        for (const accountId of waiting) await requestImport(tx, accountId)
      })
    },
  })
