import { AccountLifeDefinition, AccountsDefinition, PortabilityDefinition, TimelinesDefinition } from '@rookery/contracts/statuses'
import type { ServiceDeclaration } from '@rookery/runtime/service'
import { type AuthConfig, type AuthTables, createAuth, readAuthConfig, storage } from './module.ts'

/** This service as processes of its own run it. */
export const auth: ServiceDeclaration<AuthConfig, AuthTables> = {
  name: 'auth',
  storage,
  calls: ['statuses'],
  readConfig: readAuthConfig,
  create: (given) =>
    createAuth({
      ...given,
      statuses: {
        accounts: given.client('statuses', AccountsDefinition),
        accountLife: given.client('statuses', AccountLifeDefinition),
        portability: given.client('statuses', PortabilityDefinition),
        timelines: given.client('statuses', TimelinesDefinition),
      },
    }),
}
