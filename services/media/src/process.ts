import type { ServiceDeclaration } from '@rookery/runtime/service'
import { createMedia, type MediaConfig, type MediaTables, openStorage, PROCESS_MOTION, readMediaConfig, schema } from './module.ts'

/** This service as processes of its own run it. */
export const media: ServiceDeclaration<MediaConfig, MediaTables> = {
  name: 'media',
  schema,
  connections: 3,
  calls: [],
  // A film costs minutes of two processors, and is read by a decoder.
  parts: { motion: [PROCESS_MOTION] },
  needsRedis: false,
  readConfig: readMediaConfig,
  create: (given) => createMedia({ ...given, storage: openStorage(given.config.keeping) }),
}
