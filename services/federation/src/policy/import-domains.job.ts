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

/** Lines of one transaction, and of one turn in the queue. */
const AT_ONCE = 1000

const KEPT_MILLISECONDS = 30 * 86_400_000

/** Has the next lines of a list worked off, once the transaction is kept. */
export const requestDomainImport = (tx: Tx<FederationTables>, importId: string): Promise<void> =>
  addJob(tx, 'federation', IMPORT_DOMAINS, { importId }, { key: `${IMPORT_DOMAINS}:${importId}`, queue: IMPORT_DOMAINS })

/** Has people limited of whom something is known here: the blocks of all other domains limit no one yet. */
const limitKnown = async (tx: Tx<FederationTables>, writer: DomainImportWriter): Promise<void> => {
  const covering = (await writer.knownDomains()).flatMap(coveringDomains)
  await limitDomainsSoon(tx, await writer.limited([...new Set(covering)]))
}

/**
 * Works off a list of domains in parts: the blocks of a part and the outcomes of its lines are one transaction, so that after a kill it goes on
 * where it was. Between parts others may change blocks.
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

/** Adds jobs again for lists that wait, in case theirs was given up. */
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
