import type { AppsDefinition, RegistrationsDefinition, TokensDefinition } from '@rookery/contracts/auth'
import type { InstanceDefinition } from '@rookery/contracts/federation'
import type { AttachmentsDefinition } from '@rookery/contracts/media'
import type { InboxDefinition } from '@rookery/contracts/notifications'
import type {
  AccountsDefinition,
  DiscoveryDefinition,
  GraphDefinition,
  InteractionsDefinition,
  StatusesDefinition,
  TimelinesDefinition,
} from '@rookery/contracts/statuses'
import type { Renderer } from '@rookery/entities'
import type { Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { GatewayConfig } from './config.ts'

/** The services as the gateway calls them. */
export type ServiceClients = {
  tokens: Client<typeof TokensDefinition>
  apps: Client<typeof AppsDefinition>
  registrations: Client<typeof RegistrationsDefinition>
  accounts: Client<typeof AccountsDefinition>
  graph: Client<typeof GraphDefinition>
  statuses: Client<typeof StatusesDefinition>
  interactions: Client<typeof InteractionsDefinition>
  timelines: Client<typeof TimelinesDefinition>
  discovery: Client<typeof DiscoveryDefinition>
  attachments: Client<typeof AttachmentsDefinition>
  inbox: Client<typeof InboxDefinition>
  instance: Client<typeof InstanceDefinition>
}

/** What handlers work with. */
export type Clients = ServiceClients & { render: Renderer; config: GatewayConfig; clock: Clock }
