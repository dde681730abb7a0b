import { type Database, type Tx, transact } from '@rookery/database'
import { coveringDomains } from '@rookery/domain-names'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { DomainImportReader, DomainImportWriter } from './domain-import.store.ts'
import { outcomesOf, readLine } from './import-lines.rules.ts'
import { limitDomainsSoon } from './limit-domain.job.ts'

type Deps = { database: Database<FederationTables>; clock: Clock; baseUrl: string }

const IMPORT_DOMAINS = 'import-domains'

/** Lines per transaction, and per job run. */
const AT_ONCE = 1000

const KEPT_MILLISECONDS = 30 * 86_400_000

/** Schedules the import of the next lines, when the transaction commits. */
export const requestDomainImport = (tx: Tx<FederationTables>, importId: string): Promise<void> =>
  addJob(tx, 'federation', IMPORT_DOMAINS, { importId }, { key: `${IMPORT_DOMAINS}:${importId}`, queue: IMPORT_DOMAINS })

/** Schedules limits for the domains of known accounts; other blocks do not affect any account yet (`applyNewLimits`). */
const limitKnown = async (tx: Tx<FederationTables>, writer: DomainImportWriter): Promise<void> => {
  const covering = (await writer.knownDomains()).flatMap(coveringDomains)
  await limitDomainsSoon(tx, await writer.limited([...new Set(covering)]))
}

/**
 * Imports domain blocks in chunks. Blocks and outcomes of a chunk are one transaction, so a restarted job continues where the last one
 * ended. Blocks may change between chunks.
 */
export const importDomains = ({ database, clock, baseUrl }: Deps): Job => {
  const ownHost = new URL(baseUrl).hostname
  return job<{ importId: string }>({
    name: IMPORT_DOMAINS,
    run: ({ importId }) =>
      transact(database.db, async (tx) => {
        const writer = new DomainImportWriter(tx)
        const lines = await writer.waiting(importId, AT_ONCE)
        const now = new Date(clock.now())
        if (lines.length === 0) {
          await limitKnown(tx, writer)
          return writer.finish(importId, now, new Date(now.getTime() - KEPT_MILLISECONDS))
        }
        const named = lines.flatMap((line) => coveringDomains(readLine(line, ownHost)?.domain ?? ''))
        const known = await writer.lockKnown([...new Set(named)])
        const { blocks, outcomes } = outcomesOf(lines, known, ownHost)
        await writer.addBlocks(blocks, now)
        await writer.finishLines(
          importId,
          lines.map(({ line }) => line),
          outcomes,
        )
        await requestDomainImport(tx, importId)
      }),
  })
}

/** Schedules unfinished imports again, in case their jobs failed for good. */
export const resumeDomainImports = ({ database }: Pick<Deps, 'database'>): Job =>
  job<unknown>({
    name: 'resume-domain-imports',
    cron: '*/5 * * * *',
    run: async () => {
      const waiting = await new DomainImportReader(database.db).unfinished()
      await transact(database.db, async (tx) => {
        for (const importId of waiting) await requestDomainImport(tx, importId)
      })
    },
  })
