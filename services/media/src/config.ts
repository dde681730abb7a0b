import { join } from 'node:path'
import { origin, readEnvironment, text } from '@rookery/runtime'

/** What the module needs to know of its server. */
export type MediaConfig = {
  /** The public address, without a trailing slash; files are at <baseUrl>/media/<key>. */
  baseUrl: string
  /** A folder of this machine where uploads are kept while they are processed. */
  spoolFolder: string
}

export const settings = {
  BASE_URL: origin({ describe: 'The address the public knows the server by.' }),
  DATA_DIR: text({ describe: 'The folder that holds what must survive; files are in its folder `media`.', default: '.rookery' }),
}

/** Where the files of a data folder are kept, for the storage on disk. */
export const filesFolder = (dataDir: string): string => join(dataDir, 'media', 'files')

/** The module's configuration for a data folder. */
export const mediaConfig = (given: { baseUrl: string; dataDir: string }): MediaConfig => ({
  baseUrl: given.baseUrl,
  spoolFolder: join(given.dataDir, 'media', 'uploads'),
})

/** Reads the module's part of an environment. @throws ConfigurationError */
export const readMediaConfig = (environment: Record<string, string | undefined>): MediaConfig => {
  const values = readEnvironment(settings, environment)
  return mediaConfig({ baseUrl: values.BASE_URL, dataDir: values.DATA_DIR })
}
