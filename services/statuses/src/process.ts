import { AttachmentsDefinition, RemoteFilesDefinition } from '@rookery/contracts/media'
import type { ServiceDeclaration } from '@rookery/runtime/service'
import { admitServerAddress, createStatuses, readStatusesConfig, type StatusesConfig, type StatusesTables, schema } from './module.ts'

/** This service as processes of its own run it. */
export const statuses: ServiceDeclaration<StatusesConfig, StatusesTables> = {
  name: 'statuses',
  schema,
  connections: 10,
  calls: ['media'],
  // A post costs what its author's followers cost.
  parts: { 'fan-out': ['statuses.fan-out', 'statuses.tell-followers', 'statuses.edited-feeds'] },
  readConfig: readStatusesConfig,
  admit: admitServerAddress,
  create: (given) => {
    const media = {
      attachments: given.client('media', AttachmentsDefinition),
      remoteFiles: given.client('media', RemoteFilesDefinition),
    }
    return createStatuses({ ...given, media })
  },
}
