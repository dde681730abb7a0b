import type { ServiceDeclaration } from '@rookery/runtime/service'
import { createMedia, diskStorage, filesFolder, type MediaConfig, type MediaTables, readMediaConfig, storage } from './module.ts'

/** This service as processes of its own run it. */
export const media: ServiceDeclaration<MediaConfig, MediaTables> = {
  name: 'media',
  storage,
  calls: [],
  needsRedis: false,
  readConfig: readMediaConfig,
  create: (given) => createMedia({ ...given, storage: diskStorage({ folder: filesFolder(given.dataDir) }) }),
}
