import { AccountsDefinition, DiscoveryDefinition } from '@rookery/contracts/statuses'
import type { ServiceDeclaration } from '@rookery/runtime/service'
import { createFederation, type FederationConfig, type FederationTables, readFederationConfig, schema, statusesClients } from './module.ts'

/** This service as processes of its own run it. */
export const federation: ServiceDeclaration<FederationConfig, FederationTables> = {
  name: 'federation',
  schema,
  connections: 4,
  calls: ['statuses'],
  readConfig: readFederationConfig,
  create: (given) => {
    const accounts = given.client('statuses', AccountsDefinition)
    const discovery = given.client('statuses', DiscoveryDefinition)
    const activities = statusesClients((definition) => given.client('statuses', definition))
    return createFederation({ ...given, statuses: { accounts, discovery, ...activities } })
  },
}
