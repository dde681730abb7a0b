import { SearchDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { findRecords } from './find-records.ts'

/** Serves Search of the contract. */
export const createSearchRpc = (deps: { database: Database<StatusesTables>; views: Views; clock: Clock; baseUrl: string }): Handler => {
  const find = findRecords(deps)
  return handler(SearchDefinition, { find: (_call, request) => find(request) })
}
