import type { ServiceDeclaration } from '@rookery/runtime/service'
import { createMedia, type MediaConfig, type MediaTables, openStorage, PROCESS_MOTION, readMediaConfig, schema } from './module.ts'

/** The declaration of the service. */
export const media: ServiceDeclaration<MediaConfig, MediaTables> = {
  name: 'media',
  schema,
  connections: 3,
  calls: [],
  // A video takes minutes of two processors, and runs a decoder.
  parts: { motion: [PROCESS_MOTION] },
  needsRedis: false,
  readConfig: readMediaConfig,
  create: (given) => createMedia({ ...given, storage: openStorage(given.config.keeping) }),
}
