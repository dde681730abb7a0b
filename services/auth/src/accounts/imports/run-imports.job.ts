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

/** What tells a row of a kind from others: the options behind it do not. */
const keyOf = (kind: string, cells: readonly string[]) => JSON.stringify(cells.slice(0, kind === 'lists' ? 2 : 1)).toLowerCase()

/** Reads some lines in of the file that a person sent first; returns whether there was one. */
const readOnIn = (deps: RunDeps) => {
  const acts = importActs(deps)
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

  return async (accountId: string): Promise<boolean> => {
    const reader = new ImportReader(db)
    const file = await reader.firstUnfinished(accountId)
    if (!file) return false
    if (file.replaces && !file.clearedAt) await clear(file)
    const lines = await reader.waiting(file.id)
    for (const { line, cells } of lines) {
      const outcome = await outcomeOf(async () => acts[file.kind]?.apply(accountId, cells))
      await write((writer) => writer.finishLine(file.id, line, outcome))
    }
    if (lines.length === 0) await write((writer) => writer.finish(file.id, now()))
    return true
  }
}

/** Files of one person are read in one after the other, so each person is always in the same queue; there are few, since none is forgotten. */
const QUEUES = 8

/** Has a person's files read in, behind what is due already, once the transaction is kept. */
export const requestImport = (tx: Tx<AuthTables>, accountId: string): Promise<void> =>
  addJob(
    tx,
    SERVICE,
    RUN_IMPORT,
    { accountId },
    { key: `${RUN_IMPORT}:${accountId}`, queue: `imports-${BigInt(accountId) % BigInt(QUEUES)}` },
  )

/**
 * Reads a person's files in, line by line: the result of each is written down before the next, so that after a kill it goes on where it was.
 * After some lines it queues up again, so that no one waits for the end of another's file.
 */
export const runImport = (deps: RunDeps): Job => {
  const readOn = readOnIn(deps)
  return job<{ accountId: string }>({
    name: RUN_IMPORT,
    run: async ({ accountId }) => {
      if (await readOn(accountId)) await transact(deps.database.db, (tx) => requestImport(tx, accountId))
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
