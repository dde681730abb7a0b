import { AccountsDefinition, DiscoveryDefinition } from '@rookery/contracts/statuses'
import type { ServiceDeclaration } from '@rookery/runtime/service'
import { createFederation, type FederationConfig, type FederationTables, readFederationConfig, schema, statusesClients } from './module.ts'

/** How this service runs in processes of its own. */
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
