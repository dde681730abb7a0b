import type { ResolverDefinition } from '@rookery/contracts/federation'
import type { Client } from '@rookery/rpc'

/** What auth asks of federation: who is not known here yet. */
export type FederationClients = { resolver: Client<ResolverDefinition> }
