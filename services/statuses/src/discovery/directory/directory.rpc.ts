import { DirectoryDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { readDirectory } from './read-directory.ts'

/** Serves Directory of the contract: the profile directory. */
export const createDirectoryRpc = (deps: { database: Database<StatusesTables>; views: Views; clock: Clock }): Handler => {
  const read = readDirectory(deps)
  return handler(DirectoryDefinition, { read: (_call, request) => read(request) })
}
