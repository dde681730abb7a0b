import { type CompareFeedsRequest, FeedOperatorDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { compareHomes } from './compare-homes.ts'
import { readOwners } from './home.store.ts'

/** Serves FeedOperator of the contract, on the operator's socket only. */
export const createFeedOperatorRpc = (deps: { database: Database<StatusesTables>; clock: Clock }): Handler => {
  const compare = compareHomes(deps)
  const ownersOf = async ({ username, afterId, limit }: CompareFeedsRequest): Promise<string[]> => {
    const rows = await readOwners(deps.database, { username: username.toLowerCase(), after: afterId || '0', limit })
    if (username && rows.length === 0 && !afterId) throw new Failure('not_found', `There is no account ${username}.`)
    return rows.map(({ id }) => id)
  }
  return handler(FeedOperatorDefinition, {
    compare: async (_call, request) => {
      const owners = await ownersOf(request)
      const compared = await compare(owners, request)
      const differences = compared.filter(({ missing, unwanted }) => missing + unwanted > 0)
      return { compared: owners.length, differences, lastId: owners.at(-1) ?? '' }
    },
  })
}
