import { AccountsDefinition, DiscoveryDefinition } from '@rookery/contracts/statuses'
import type { ServiceDeclaration } from '@rookery/runtime/service'
import { createFederation, type FederationConfig, type FederationTables, readFederationConfig, schema, statusesClients } from './module.ts'

/** A client that is made when it is first used. */
const whenAsked = <Client extends object>(make: () => Client): Client =>
  new Proxy({} as Client, { get: (_, name) => Reflect.get(make(), name) })

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
    const activities = statusesClients((definition) => whenAsked(() => given.client('statuses', definition)))
    return createFederation({ ...given, statuses: { accounts, discovery, ...activities } })
  },
}
