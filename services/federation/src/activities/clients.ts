import {
  FeaturedTagsDefinition,
  GraphDefinition,
  InteractionsDefinition,
  OutgoingDefinition,
  PollsDefinition,
  RemoteAccountsDefinition,
  RemoteStatusesDefinition,
  ReportsDefinition,
} from '@rookery/contracts/statuses'
import type { Client, Definition } from '@rookery/rpc'

/** The clients of statuses that activities use. */
export const statusesClients = (client: <D extends Definition>(definition: D) => Client<D>) => ({
  remoteAccounts: client(RemoteAccountsDefinition),
  remoteStatuses: client(RemoteStatusesDefinition),
  featuredTags: client(FeaturedTagsDefinition),
  outgoing: client(OutgoingDefinition),
  interactions: client(InteractionsDefinition),
  graph: client(GraphDefinition),
  polls: client(PollsDefinition),
  reports: client(ReportsDefinition),
})

export type ActivityClients = ReturnType<typeof statusesClients>
