import type { PortabilityDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { type Job, job } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { ownCall } from '../calls.ts'
import type { AuthTables } from '../database/schema.ts'
import { type ActsGiven, importActs } from './acts.ts'
import { type Import, ImportReader, ImportWriter, type Outcome } from './import.store.ts'

export const RUN_IMPORTS = 'run-imports'

export type RunGiven = {
  database: Database<AuthTables>
  clock: Clock
  baseUrl: string
  statuses: ActsGiven['statuses'] & { portability: Client<PortabilityDefinition> }
}

/** Kinds of failure that say something of a line, rather than of the server at this moment. */
const OUTCOMES: Partial<Record<string, Outcome>> = {
  not_found: 'unknown',
  forbidden: 'refused',
  invalid: 'refused',
  malformed: 'refused',
  conflict: 'refused',
}

/** What came of an act. @throws whatever says nothing of the line */
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

const runImport = (given: RunGiven) => {
  const acts = importActs(given)
  const { db } = given.database
  const now = () => new Date(given.clock.now())
  const write = <Result>(work: (writer: ImportWriter) => Promise<Result>) => transact(db, (tx) => work(new ImportWriter(tx)))

  const clear = async ({ id, accountId, kind }: Import) => {
    const kept = new Set((await new ImportReader(db).cells(id)).map((cells) => keyOf(kind, cells)))
    for (let afterId = ''; ; ) {
      const { rows, lastId } = await given.statuses.portability.readRows(ownCall(20), { accountId, kind, afterId })
      for (const { cells } of rows) if (!kept.has(keyOf(kind, cells))) await outcomeOf(async () => acts[kind]?.undo(accountId, cells))
      if (!lastId) break
      afterId = lastId
    }
    await write((writer) => writer.clear(id, now()))
  }

  return async (file: Import): Promise<void> => {
    const { id, accountId, kind } = file
    if (file.replaces && !file.clearedAt) await clear(file)
    for (;;) {
      const lines = await new ImportReader(db).waiting(id)
      if (lines.length === 0) break
      for (const { line, cells } of lines) {
        const outcome = await outcomeOf(async () => acts[kind]?.apply(accountId, cells))
        await write((writer) => writer.settle(id, line, outcome))
      }
    }
    await write((writer) => writer.finish(id, now()))
  }
}

/**
 * Reads files in, line by line: what came of each is written down before the next, so that after a kill it goes on where it was. It is asked
 * for when a file comes, and comes round by itself.
 */
export const runImports = (given: RunGiven): Job => {
  const run = runImport(given)
  return job<unknown>({
    name: RUN_IMPORTS,
    cron: '*/5 * * * *',
    run: async () => {
      const failures: unknown[] = []
      for (const each of await new ImportReader(given.database.db).unfinished()) await run(each).catch((error) => failures.push(error))
      if (failures.length > 0) throw new AggregateError(failures, 'some files could not be read in')
    },
  })
}
