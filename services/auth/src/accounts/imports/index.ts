import { csvLine } from '@rookery/csv'
import { transact } from '@rookery/database'
import type { Ids } from '@rookery/ids'
import { type FileFault, readFile } from './file.rules.ts'
import { ImportReader, ImportWriter } from './import.store.ts'
import { type RunDeps, requestImport, runImport, runImports } from './run-imports.job.ts'

/** An uploaded file and its options. */
type ImportOrder = { accountId: string; kind: string; replaces: boolean; text: string }

/** How long finished imports are kept, in milliseconds. */
const KEPT_MILLISECONDS = 4 * 7 * 86_400_000

/** Imports of an account's data, for other slices. */
export const createImports = (deps: RunDeps & { ids: Ids }) => {
  const reader = new ImportReader(deps.database.db)
  return {
    /** Stores a file, which a job processes. Returns the fault of a file that is refused. */
    async add({ accountId, kind, replaces, text }: ImportOrder): Promise<FileFault | undefined> {
      const lines = readFile(kind, text)
      if (typeof lines === 'string') return lines
      const createdAt = new Date(deps.clock.now())
      await transact(deps.database.db, async (tx) => {
        await new ImportWriter(tx).add({ id: deps.ids.next(), accountId, kind, replaces, createdAt, lines })
        await requestImport(tx, accountId)
      })
      return undefined
    },
    /** Whether an import belongs to an account. */
    isOf: (accountId: string, importId: string) => reader.isOf(accountId, importId),
    latest: (accountId: string) => reader.latest(accountId),
    /** The failed lines of an account's import, each with its number and outcome, streamed as CSV. */
    async *failures(accountId: string, importId: string): AsyncGenerator<string> {
      for (let after = 0; ; ) {
        const lines = await reader.failures(accountId, importId, after)
        yield lines.map(({ line, cells, outcome }) => csvLine([String(line), outcome, ...cells])).join('')
        const last = lines.at(-1)
        if (!last) return
        after = last.line
      }
    },
    forgetFinished: (now: Date) =>
      transact(deps.database.db, (tx) => new ImportWriter(tx).forgetFinished(new Date(now.getTime() - KEPT_MILLISECONDS))),
    jobs: [runImport(deps), runImports(deps)],
  }
}

export type Imports = ReturnType<typeof createImports>
