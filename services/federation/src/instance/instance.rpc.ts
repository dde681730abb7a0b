import { type DomainBlock, InstanceDefinition } from '@rookery/contracts/federation'
import type { Database } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock, Logger } from '@rookery/runtime'
import type { FederationConfig } from '../config.ts'
import type { FederationTables } from '../database/schema.ts'
import type { CountPeers, ReadPeers } from '../peers/index.ts'
import { rulesOf } from './instance.rules.ts'
import { InstanceReader } from './instance.store.ts'
import { readExtendedDescription } from './read-extended-description.ts'
import { readInstance, type StatusesClients } from './read-instance.ts'

type Given = {
  database: Database<FederationTables>
  statuses: StatusesClients
  readPeers: ReadPeers
  countPeers: CountPeers
  readDomainBlocks: () => Promise<DomainBlock[]>
  clock: Clock
  log: Logger
  config: FederationConfig
}

/** The calls of federation.v1.Instance. */
export const instanceHandler = (given: Given): Handler => {
  const read = readInstance(given)
  const readDescription = readExtendedDescription(given)
  const reader = new InstanceReader(given.database.db)
  return handler(InstanceDefinition, {
    read: () => read(),
    readRules: async () => ({ rules: rulesOf(await reader.rules(), given.config) }),
    readExtendedDescription: () => readDescription(),
    readPeers: async () => ({ domains: await given.readPeers() }),
    readDomainBlocks: async () => ({ blocks: await given.readDomainBlocks() }),
  })
}
