import { SuggestionOperatorDefinition, SuggestionsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { listPicks, pickAccount, unpickAccount } from './pick-account.ts'
import { readSuggestions } from './read-suggestions.ts'
import { dismissRow } from './suggestion.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock; baseUrl: string }

/** Serves Suggestions of the contract. */
export const createSuggestionsRpc = (deps: Deps): Handler => {
  const read = readSuggestions(deps)
  return handler(SuggestionsDefinition, {
    read: async (_call, request) => ({ suggestions: await read(request) }),
    dismiss: async (_call, { viewerId, accountId }) => {
      await dismissRow(deps.database, { viewerId, accountId })
      return {}
    },
  })
}

/** Serves SuggestionOperator of the contract, on the operator's socket only. */
export const createSuggestionOperatorRpc = (deps: Deps): Handler => {
  const pick = pickAccount(deps)
  const unpick = unpickAccount(deps)
  const list = listPicks(deps)
  return handler(SuggestionOperatorDefinition, {
    pick: (_call, { acct }) => pick(acct),
    unpick: (_call, { acct }) => unpick(acct),
    listPicks: async () => ({ picks: await list() }),
  })
}
