import type { BlockedDomain, BlockedDomainSettings, CreatedBlockedDomain } from '@rookery/contracts/federation'
import { type Database, transact } from '@rookery/database'
import { coveringDomains, otherServer } from '@rookery/domain-names'
import type { Outbox } from '@rookery/events'
import { Failure, invalid, orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import type { DomainBlockRow } from '../database/tables/domain-block.ts'
import { staffActed } from '../staff-acted.ts'
import { isStricter, severityOf, staffView } from './domain-block.rules.ts'
import { DomainBlockWriter } from './domain-block.store.ts'
import { limitDomainSoon } from './limit-domain.job.ts'

type Deps = { database: Database<FederationTables>; outbox: Outbox; clock: Clock; baseUrl: string }

/** The columns that the settings set, without severity. Empty comments become null. */
const columnsOf = ({ severity: _, privateComment, publicComment, ...flags }: BlockedDomainSettings): Partial<DomainBlockRow> => {
  const comments = {
    privateComment: privateComment === undefined ? undefined : privateComment || null,
    publicComment: publicComment === undefined ? undefined : publicComment || null,
  }
  return Object.fromEntries(Object.entries({ ...flags, ...comments }).filter(([, value]) => value !== undefined))
}

/**
 * Blocks a domain and its subdomains. Returns the existing block if the domain has one, or is covered by one that is as strict (spec, POST
 * /api/v1/admin/domain_blocks; beyond-the-spec 2.6). @throws Failure invalid
 */
export const createDomainBlock =
  ({ database, outbox, clock, baseUrl }: Deps) =>
  async (typed: string, settings: BlockedDomainSettings, staffId: string): Promise<CreatedBlockedDomain> => {
    const domain = otherServer(typed, baseUrl)
    const severity = severityOf(settings.severity ?? 'silence')
    if (!severity) throw invalid('Severity is not included in the list')
    return transact(database.db, async (tx) => {
      const writer = new DomainBlockWriter(tx)
      const covering = await writer.lockMostSpecific(coveringDomains(domain))
      const wanted = { severity, rejectMedia: settings.rejectMedia ?? false, rejectReports: settings.rejectReports ?? false }
      if (covering && (covering.domain === domain || !isStricter(wanted, covering))) return { block: staffView(covering), isExisting: true }
      const row = await writer.add({ ...columnsOf(settings), domain, severity, createdAt: new Date(clock.now()) })
      await outbox.append(tx, [staffActed({ staffId, action: 'create_domain_block', target: domain, text: severity })])
      await limitDomainSoon(tx, domain)
      return { block: staffView(row), isExisting: false }
    })
  }

/** Changes a block (spec, PUT /api/v1/admin/domain_blocks/:id). @throws Failure not_found, broken for an unknown severity */
export const changeDomainBlock =
  ({ database, outbox }: Pick<Deps, 'database' | 'outbox'>) =>
  async (id: string, settings: BlockedDomainSettings, staffId: string): Promise<BlockedDomain> => {
    const severity = settings.severity === undefined ? undefined : severityOf(settings.severity)
    // The status that the contract requires here, unlike for a new block.
    if (settings.severity !== undefined && !severity) throw new Failure('broken', `'${settings.severity}' is not a valid severity`)
    const changes = { ...columnsOf(settings), ...(severity && { severity }) }
    const row = await transact(database.db, async (tx) => {
      const changed = await new DomainBlockWriter(tx).change(id, changes)
      if (!changed) return undefined
      await outbox.append(tx, [staffActed({ staffId, action: 'change_domain_block', target: changed.domain, text: changed.severity })])
      await limitDomainSoon(tx, changed.domain)
      return changed
    })
    return staffView(orNotFound(row))
  }

/** Removes a block (spec, DELETE /api/v1/admin/domain_blocks/:id). @throws Failure not_found */
export const deleteDomainBlock =
  ({ database, outbox }: Pick<Deps, 'database' | 'outbox'>) =>
  async (id: string, staffId: string): Promise<void> => {
    const domain = await transact(database.db, async (tx) => {
      const removed = await new DomainBlockWriter(tx).remove(id)
      if (removed === undefined) return undefined
      await outbox.append(tx, [staffActed({ staffId, action: 'delete_domain_block', target: removed })])
      await limitDomainSoon(tx, removed)
      return removed
    })
    orNotFound(domain)
  }
