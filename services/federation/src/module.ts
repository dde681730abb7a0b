import type { Outbox } from '@rookery/events'
import { backlogRpc, type ServiceModule, type ServiceSchema } from '@rookery/runtime'
import { type ActivityClients, createActivities } from './activities/index.ts'
import { migrations } from './database/migrations/index.ts'
import type { StatusesClients } from './instance/index.ts'
import { createInstanceRpc } from './instance/instance.rpc.ts'
import { createInstanceSettingsRpc } from './instance/settings.rpc.ts'
import { peers } from './peers/index.ts'
import {
  createAllowedDomainsRpc,
  createBlockedDomainsRpc,
  createDomainImportsRpc,
  importDomains,
  limitDomain,
  maySpeak,
  readDomainBlocks,
  resumeDomainImports,
} from './policy/index.ts'
import { createRelaysRpc } from './relays/index.ts'
import { createFederationStaffRpc } from './upkeep/index.ts'
import { readActor } from './vocabulary/index.ts'
import { createWire, type WireDeps } from './wire.ts'

export { statusesClients } from './activities/index.ts'
export { type FederationConfig, readFederationConfig } from './config.ts'
export type { FederationTables } from './database/schema.ts'

/** The schema `federation`. */
export const schema: ServiceSchema = { name: 'federation', migrations }

/** Dependencies of the federation service. */
type FederationDeps = WireDeps & { statuses: StatusesClients & ActivityClients; outbox: Outbox }

/** Jobs mostly wait for other servers, so many run at a time. */
const JOBS_AT_ONCE = 24

/** Federation: the instance document, peers, domain blocks, and the exchange of activities with other servers. */
export const createFederation = (deps: FederationDeps): ServiceModule => {
  const { database, statuses, clock, log, config } = deps
  const wire = createWire(
    deps,
    (below) => createActivities({ ...below, database, statuses, clock, log, baseUrl: config.baseUrl }),
    readActor,
  )
  const staff = [
    createInstanceSettingsRpc(deps),
    createBlockedDomainsRpc({ ...deps, baseUrl: deps.config.baseUrl }),
    createAllowedDomainsRpc({ ...deps, baseUrl: deps.config.baseUrl }),
    createDomainImportsRpc(deps),
    createRelaysRpc({ ...deps, deliver: wire.deliver, maySpeak: maySpeak(deps) }),
  ]
  const instance = createInstanceRpc({ ...deps, ...peers(deps), readDomainBlocks: readDomainBlocks(deps) })
  return {
    ...wire.module,
    rpc: [
      instance,
      ...staff,
      createFederationStaffRpc({ ...deps, servers: wire.servers }),
      ...wire.module.rpc,
      backlogRpc({ database, service: 'federation' }),
    ],
    // An operator is staff without an id.
    operator: [instance, ...staff, ...(wire.module.operator ?? [])],
    jobs: [...wire.module.jobs, limitDomain(deps), importDomains({ ...deps, baseUrl: deps.config.baseUrl }), resumeDomainImports(deps)],
    jobsAtOnce: JOBS_AT_ONCE,
  }
}
