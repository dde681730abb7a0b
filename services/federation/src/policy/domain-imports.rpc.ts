import { DomainImportsDefinition } from '@rookery/contracts/federation'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { staffActed } from '../staff-acted.ts'
import { DomainImportReader, DomainImportWriter } from './domain-import.store.ts'
import { requestDomainImport } from './import-domains.job.ts'

type Deps = { database: Database<FederationTables>; outbox: Outbox; clock: Clock }

/** Maximum lines of an import. */
const MAX_LINES = 200_000

/** The calls of federation.v1.DomainImports. */
export const createDomainImportsRpc = ({ database, outbox, clock }: Deps): Handler => {
  const now = () => new Date(clock.now())
  return handler(DomainImportsDefinition, {
    create: async (_call, { staffId }) => {
      const createdAt = now()
      const id = await transact(database.db, (tx) => new DomainImportWriter(tx).add(staffId, createdAt))
      return { id, createdAtMilliseconds: createdAt.getTime(), isFinished: false, lines: 0, done: 0, known: 0, invalid: 0 }
    },
    append: async (_call, { id, first, lines }) => {
      const numbered = lines.map((line, index) => ({ ...line, line: first + index })).filter(({ line }) => line < MAX_LINES)
      const isThere = await transact(database.db, (tx) => new DomainImportWriter(tx).append(id, numbered))
      if (!isThere) throw notFound(`no list ${id} that takes lines`)
      return {}
    },
    start: async (_call, { id, staffId }) => {
      await transact(database.db, async (tx) => {
        const lines = await new DomainImportWriter(tx).start(id, now())
        if (lines === undefined) return
        await outbox.append(tx, [staffActed({ staffId, action: 'import_domain_blocks', target: String(lines) })])
        await requestDomainImport(tx, id)
      })
      return {}
    },
    list: async () => {
      const imports = await new DomainImportReader(database.db).latest()
      return { imports: imports.map(({ createdAt, ...progress }) => ({ ...progress, createdAtMilliseconds: createdAt.getTime() })) }
    },
  })
}
