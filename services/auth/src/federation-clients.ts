import type { ResolverDefinition } from '@rookery/contracts/federation'
import type { Client } from '@rookery/rpc'

/** Clients of federation, for looking up remote accounts and statuses. */
export type FederationClients = { resolver: Client<ResolverDefinition> }
