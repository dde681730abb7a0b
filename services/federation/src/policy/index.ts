import type { DomainBlock } from '@rookery/contracts/federation'
import type { Database } from '@rookery/database'
import type { FederationTables } from '../database/schema.ts'
import { publicView } from './domain-block.rules.ts'
import { readVisibleBlocks } from './domain-block.store.ts'

export { createAllowedDomainsRpc } from './allowed-domains.rpc.ts'
export { type ApplyNewLimits, applyNewLimits } from './apply-new-limits.ts'
export { createBlockedDomainsRpc } from './blocked-domains.rpc.ts'
export { createDomainImportsRpc } from './domain-imports.rpc.ts'
export { importDomains, resumeDomainImports } from './import-domains.job.ts'
export { limitDomain } from './limit-domain.job.ts'
export { type MaySend, type MaySpeak, mayFetch, maySend, maySpeak, nameOfHost, type RejectsReports, rejectsReports } from './may-speak.ts'

/** The public view of domain blocks (spec, GET /api/v1/instance/domain_blocks). */
export const readDomainBlocks =
  ({ database }: { database: Database<FederationTables> }) =>
  async (): Promise<DomainBlock[]> =>
    (await readVisibleBlocks(database, {})).map(publicView)
