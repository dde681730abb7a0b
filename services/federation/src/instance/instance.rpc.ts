import { type DomainBlock, InstanceDefinition } from '@rookery/contracts/federation'
import type { Database } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock, Logger } from '@rookery/runtime'
import type { FederationConfig } from '../config.ts'
import type { FederationTables } from '../database/schema.ts'
import type { CountPeers, ReadPeers, SearchPeers } from '../peers/index.ts'
import { rulesOf } from './instance.rules.ts'
import { InstanceReader } from './instance.store.ts'
import { readPicture } from './pictures.ts'
import { readExtendedDescription } from './read-extended-description.ts'
import { readInstance, type StatusesClients } from './read-instance.ts'
import { readPrivacyPolicy } from './read-privacy-policy.ts'
import { readTerms } from './terms.ts'

type Deps = {
  database: Database<FederationTables>
  statuses: StatusesClients
  readPeers: ReadPeers
  searchPeers: SearchPeers
  countPeers: CountPeers
  readDomainBlocks: () => Promise<DomainBlock[]>
  clock: Clock
  log: Logger
  config: FederationConfig
}

/** The calls of federation.v1.Instance. */
export const createInstanceRpc = (deps: Deps): Handler => {
  const read = readInstance(deps)
  const readDescription = readExtendedDescription(deps)
  const readPolicy = readPrivacyPolicy(deps)
  const pictureOf = readPicture(deps)
  const termsOf = readTerms(deps)
  const reader = new InstanceReader(deps.database.db)
  return handler(InstanceDefinition, {
    read: () => read(),
    readRules: async () => {
      const stored = await reader.rules()
      return { rules: rulesOf(stored, deps.config), removed: stored.removed }
    },
    readExtendedDescription: () => readDescription(),
    readPrivacyPolicy: (_call, { language }) => readPolicy(language),
    readPicture: (_call, { kind }) => pictureOf(kind),
    readTerms: (_call, { effectiveOn }) => termsOf(effectiveOn),
    readPeers: async () => ({ domains: await deps.readPeers() }),
    searchPeers: async (_call, request) => ({ domains: await deps.searchPeers(request) }),
    readDomainBlocks: async () => ({ blocks: await deps.readDomainBlocks() }),
  })
}
