import type { StatelessDeclaration } from '@rookery/runtime/service'
import { createGateway, type GatewayConfig, readGatewayConfig, serviceClients } from './module.ts'

/** The declaration of the service. */
export const gateway: StatelessDeclaration<GatewayConfig> = {
  name: 'gateway',
  calls: ['auth', 'statuses', 'media', 'notifications', 'federation'],
  readConfig: readGatewayConfig,
  create: (given) => createGateway({ ...given, services: serviceClients(given.client) }),
}
