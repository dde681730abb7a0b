import { AttachmentsDefinition, RemoteFilesDefinition } from '@rookery/contracts/media'
import type { ServiceDeclaration } from '@rookery/runtime/service'
import { admitServerAddress, createStatuses, readStatusesConfig, type StatusesConfig, type StatusesTables, schema } from './module.ts'

/** The declaration of this service, for processes of its own. */
export const statuses: ServiceDeclaration<StatusesConfig, StatusesTables> = {
  name: 'statuses',
  schema,
  connections: 10,
  calls: ['media'],
  // The cost of a post grows with its author's followers.
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
