import { AppsDefinition, RegistrationsDefinition, TokensDefinition } from '@rookery/contracts/auth'
import { InstanceDefinition } from '@rookery/contracts/federation'
import { AttachmentsDefinition } from '@rookery/contracts/media'
import { InboxDefinition } from '@rookery/contracts/notifications'
import {
  AccountsDefinition,
  DiscoveryDefinition,
  GraphDefinition,
  InteractionsDefinition,
  StatusesDefinition,
  TimelinesDefinition,
} from '@rookery/contracts/statuses'
import type { StatelessDeclaration } from '@rookery/runtime/service'
import { createGateway, type GatewayConfig, readGatewayConfig } from './module.ts'

/** This service as processes of its own run it. */
export const gateway: StatelessDeclaration<GatewayConfig> = {
  name: 'gateway',
  calls: ['auth', 'statuses', 'media', 'notifications', 'federation'],
  readConfig: readGatewayConfig,
  create: (given) =>
    createGateway({
      ...given,
      services: {
        tokens: given.client('auth', TokensDefinition),
        apps: given.client('auth', AppsDefinition),
        registrations: given.client('auth', RegistrationsDefinition),
        accounts: given.client('statuses', AccountsDefinition),
        graph: given.client('statuses', GraphDefinition),
        statuses: given.client('statuses', StatusesDefinition),
        interactions: given.client('statuses', InteractionsDefinition),
        timelines: given.client('statuses', TimelinesDefinition),
        discovery: given.client('statuses', DiscoveryDefinition),
        attachments: given.client('media', AttachmentsDefinition),
        inbox: given.client('notifications', InboxDefinition),
        instance: given.client('federation', InstanceDefinition),
      },
    }),
}
