import { PAGE_SIZES } from '@rookery/contracts/limits'
import { jsonList, suggestionReasons } from '@rookery/entities'
import { isId } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { form, limit, offset } from '../http/fields.ts'

type Part = { limit: number; offset: number }

const read = async (call: Call, viewerId: string, part: Part, { suggestions }: Clients) => {
  const found = await suggestions.read(call, { viewerId, limit: part.limit, offset: part.offset })
  return found.suggestions.flatMap(({ account, sources }) => (account ? [{ account, sources }] : []))
}

export const readSuggestions = endpoint({
  method: 'GET',
  path: '/api/v2/suggestions',
  access: User('read:accounts'),
  summary: 'Accounts the viewer may want to follow, and why.',
  input: form({ limit: limit(PAGE_SIZES.people), offset: offset() }),
  handle: async ({ call, input, viewerId }, clients) => {
    const found = await read(call, viewerId, input, clients)
    return jsonList(
      found.map(({ account, sources }) => {
        const reasons = JSON.stringify(suggestionReasons(sources)).slice(0, -1)
        return [`${reasons},"account":`, clients.render.account(account), '}']
      }),
    )
  },
})

export const readSuggestedAccounts = endpoint({
  method: 'GET',
  path: '/api/v1/suggestions',
  access: User('read:accounts'),
  summary: 'Accounts the viewer may want to follow; deprecated, see version 2.',
  input: form({ limit: limit(PAGE_SIZES.people), offset: offset() }),
  handle: async ({ call, input, viewerId }, clients) =>
    clients.render.accounts((await read(call, viewerId, input, clients)).map(({ account }) => account)),
})

export const dismissSuggestion = endpoint({
  method: 'DELETE',
  path: '/api/v1/suggestions/:account',
  access: User('read', 'write:accounts'),
  summary: 'Never suggests an account to the viewer again.',
  // Unknown and invalid ids also succeed (spec, Suggestions).
  handle: async ({ call, params, viewerId }, { suggestions }) => {
    const accountId = params['account'] ?? ''
    if (isId(accountId)) await suggestions.dismiss(call, { viewerId, accountId })
    return {}
  },
})
