import { ResolverDefinition } from '@rookery/contracts/federation'
import type { ServiceDeclaration } from '@rookery/runtime/service'
import { type AuthConfig, type AuthTables, createAuth, readAuthConfig, schema, statusesClients } from './module.ts'

/** This service when it runs in separate processes. */
export const auth: ServiceDeclaration<AuthConfig, AuthTables> = {
  name: 'auth',
  schema,
  connections: 6,
  calls: ['statuses', 'federation'],
  readConfig: readAuthConfig,
  create: (given) =>
    createAuth({
      ...given,
      statuses: statusesClients((definition) => given.client('statuses', definition)),
      federation: { resolver: given.client('federation', ResolverDefinition) },
    }),
}
