import type { Database } from '@rookery/database'
import type { Clock, Logger, ServiceModule, ServiceSchema } from '@rookery/runtime'
import type { FederationConfig } from './config.ts'
import { migrations } from './database/migrations/index.ts'
import type { FederationTables } from './database/schema.ts'
import type { StatusesClients } from './instance/index.ts'
import { instanceHandler } from './instance/instance.rpc.ts'
import { peers } from './peers/index.ts'
import { allowedDomainsHandler, blockedDomainsHandler, readDomainBlocks } from './policy/index.ts'

export { type FederationConfig, readFederationConfig } from './config.ts'
export type { FederationTables } from './database/schema.ts'
export * as vocabulary from './vocabulary/index.ts'

/** The schema `federation`. */
export const schema: ServiceSchema = { name: 'federation', migrations }

/** What federation needs from the process that runs it. */
export type FederationDeps = {
  database: Database<FederationTables>
  statuses: StatusesClients
  clock: Clock
  log: Logger
  config: FederationConfig
}

/** This server among others: what it says of itself, whom it knows, whom it blocks. */
export const createFederation = (deps: FederationDeps): ServiceModule => ({
  rpc: [
    instanceHandler({ ...deps, ...peers(deps), readDomainBlocks: readDomainBlocks(deps) }),
    blockedDomainsHandler({ ...deps, baseUrl: deps.config.baseUrl }),
    allowedDomainsHandler({ ...deps, baseUrl: deps.config.baseUrl }),
  ],
  consumers: [],
  jobs: [],
})
