import type { PortabilityDefinition } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { ownCall } from '../../calls.ts'
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

/** Kinds of failure that say something of a line, rather than of the server at this moment. */
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

/** Where the cells of a kind hold a handle. */
const HANDLE_AT: Partial<Record<string, number>> = { following: 0, blocks: 0, mutes: 0, lists: 1 }

/** What tells a row of a kind from others: the options behind it do not. Handles are written as exports of this server write them. */
const createKeyOf = (baseUrl: string) => {
  const { host } = new URL(baseUrl)
  const withServer = (acct: string) => acct.replace(/^@?([^@]+)(@.*)?$/, (_all, name: string, server = `@${host}`) => `${name}${server}`)
  return (kind: string, cells: readonly string[]) => {
    const key = cells.slice(0, kind === 'lists' ? 2 : 1)
    return JSON.stringify(key.map((cell, index) => (index === HANDLE_AT[kind] ? withServer(cell) : cell))).toLowerCase()
  }
}

/** How far a run came: there was `nothing` to read, it read `some`, or it `waits` until more may be asked of other servers. */
type Progress = 'nothing' | 'some' | 'waits'

/** How long one run takes at most, but for the line under way, in milliseconds: other servers may be slow to say who someone is. */
const TURN = 20_000
/** How long a person's files wait once so much was asked of other servers for them, in milliseconds. */
const PAUSE = 60_000

/** @throws errors other than one that says that no more may be asked of other servers at this moment */
const orWait = (error: unknown): Progress => {
  if (error instanceof Failure && error.kind === 'exhausted') return 'waits'
  throw error
}

/** Reads some lines in of the file that a person sent first. */
const readOnIn = (deps: RunDeps) => {
  const acts = importActs(deps)
  const keyOf = createKeyOf(deps.baseUrl)
  const { db } = deps.database
  const now = () => new Date(deps.clock.now())
  const write = <Result>(work: (writer: ImportWriter) => Promise<Result>) => transact(db, (tx) => work(new ImportWriter(tx)))

  const clear = async ({ id, accountId, kind }: Import) => {
    const kept = new Set((await new ImportReader(db).cells(id)).map((cells) => keyOf(kind, cells)))
    for (let afterId = ''; ; ) {
      const { rows, lastId } = await deps.statuses.dataExport.readRows(ownCall(20), { accountId, kind, afterId })
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

/** Files of one person are read in one after the other, so each person is always in the same queue; there are few, since none is forgotten. */
const QUEUES = 8

/** Has a person's files read in once the transaction commits, after what is due already. */
export const requestImport = (tx: Tx<AuthTables>, accountId: string, runAt?: Date): Promise<void> =>
  addJob(
    tx,
    SERVICE,
    RUN_IMPORT,
    { accountId },
    { key: `${RUN_IMPORT}:${accountId}`, queue: `imports-${BigInt(accountId) % BigInt(QUEUES)}`, ...(runAt && { runAt }) },
  )

/**
 * Reads a person's files in, line by line: the result of each is written down before the next, so that after a kill it goes on where it was.
 * After some lines, and some seconds, it queues up again, so that no one waits for the end of another's file.
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

/** Adds jobs again for waiting imports, in case theirs was given up. */
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
