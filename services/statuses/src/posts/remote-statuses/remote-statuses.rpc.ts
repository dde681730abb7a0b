import { RemoteStatusesDefinition } from '@rookery/contracts/statuses'
import { acknowledging, type Handler, handler } from '@rookery/rpc'
import { decideQuote, readQuoteOf } from '../quotes/index.ts'
import { deleteRemoteStatus } from './delete-remote-status.ts'
import { concernsAnyone, readByUris } from './find-by-uri.ts'
import { storeRemoteBoost } from './store-remote-boost.ts'
import { storeRemotePins } from './store-remote-pins.ts'
import { type StoreDeps, storeRemoteStatus } from './store-remote-status.ts'

/** The handlers of RemoteStatuses, which federation calls with statuses of other servers. */
export const createRemoteStatusesRpc = (deps: StoreDeps): Handler => {
  const remove = deleteRemoteStatus(deps)
  const pin = storeRemotePins(deps)
  const find = readByUris(deps)
  const concerns = concernsAnyone(deps)
  const decide = decideQuote(deps)
  return handler(RemoteStatusesDefinition, {
    store: storeRemoteStatus(deps),
    storeBoost: storeRemoteBoost(deps),
    readByUris: (_call, request) => find(request),
    concerns: (_call, request) => concerns(request),
    decideQuote: async (call, request) => {
      await decide(call, request)
      return {}
    },
    readQuote: async (_call, request) => {
      const rows = await readQuoteOf(deps.database, request)
      return {
        quotes: rows.map(({ state, quotedId, quotedAuthorId }) => ({
          state,
          quotedId: quotedId ?? '',
          quotedAuthorId: quotedAuthorId ?? '',
        })),
      }
    },
    delete: acknowledging(remove),
    storePins: async (call, request) => {
      await pin(call, request)
      return {}
    },
  })
}
