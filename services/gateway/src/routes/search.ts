import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { AccountView, Findings } from '@rookery/contracts/statuses'
import { tagEntity } from '@rookery/entities'
import { Failure } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { Public, User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { flag, form, id, integer, limit, MAX_SKIPPED, text } from '../http/fields.ts'
import { resolveQuery } from '../resolve-query.ts'

/** @throws Failure malformed for a negative offset; a negative limit counts as its absolute value (beyond-the-spec 0.1, 2.4) */
const refuseNegative = ({ offset }: { offset?: number | undefined }) => {
  if ((offset ?? 0) < 0) throw new Failure('malformed', 'offset must not be negative')
}

/** The query. @throws Failure malformed if it is empty */
const wanted = (q: string | undefined): string => {
  if (!q?.trim()) throw new Failure('malformed', 'param is missing or the value is empty: q')
  return q
}

/** @throws Failure unauthenticated for parameters that need a person's token */
const refuseAnonymous = (viewerId: string, { resolve, offset }: { resolve?: boolean | undefined; offset?: number | undefined }) => {
  if (viewerId) return
  if (resolve) throw new Failure('unauthenticated', 'Search queries that resolve remote resources are not supported without authentication')
  if (offset !== undefined) throw new Failure('unauthenticated', 'Search queries pagination is not supported without authentication')
}

/** The result of a look-up on another server, of the wanted kinds; undefined without a look-up or result. */
const findElsewhere = async (
  call: Call,
  { q, viewerId, type }: { q: string; viewerId: string; type?: string | undefined },
  clients: Clients,
): Promise<Pick<Findings, 'accounts' | 'statuses'> | undefined> => {
  const resolved = await resolveQuery(call, { text: q, viewerId }, clients)
  if (!resolved) return undefined
  const wants = (kind: string) => !type || type === kind
  let accounts: AccountView[] = []
  if (resolved.accountId && wants('accounts')) ({ accounts } = await clients.views.readAccounts(call, { ids: [resolved.accountId] }))
  const isStatus = resolved.statusId && wants('statuses')
  return { accounts, statuses: isStatus ? await clients.views.readStatuses(call, { ids: [resolved.statusId], viewerId }) : undefined }
}

export const search = endpoint({
  method: 'GET',
  path: '/api/v2/search',
  access: Public('read:search'),
  summary:
    'Accounts, statuses and hashtags by text. Statuses are searched for signed-in users only: their own, those they interacted with, and public ones of discoverable authors.',
  input: form({
    q: text(),
    type: text(),
    resolve: flag(),
    following: flag(),
    account_id: id('account_id'),
    exclude_unreviewed: flag(),
    max_id: id('max_id'),
    min_id: id('min_id'),
    limit: limit(PAGE_SIZES.found),
    offset: integer(),
  }),
  handle: async ({ call, input, viewerId }, clients) => {
    const sought = wanted(input.q)
    refuseNegative(input)
    refuseAnonymous(viewerId, input)
    const { type } = input
    const elsewhere = input.resolve ? await findElsewhere(call, { q: sought, viewerId, type }, clients) : undefined
    const found = elsewhere
      ? { tags: [], ...elsewhere }
      : await clients.search.find(call, {
          viewerId,
          text: sought,
          accounts: !type || type === 'accounts',
          statuses: !type || type === 'statuses',
          tags: !type || type === 'hashtags',
          resolve: input.resolve,
          following: input.following,
          accountId: input.account_id,
          excludeUnreviewed: input.exclude_unreviewed,
          maxId: input.max_id,
          minId: input.min_id,
          limit: input.limit,
          offset: type ? Math.min(input.offset ?? 0, MAX_SKIPPED) : 0,
        })
    const { render } = clients
    return Buffer.concat([
      Buffer.from('{"accounts":'),
      render.accounts(found.accounts),
      Buffer.from(',"statuses":'),
      found.statuses ? render.statuses(found.statuses) : Buffer.from('[]'),
      Buffer.from(`,"hashtags":${JSON.stringify(found.tags.map((tag) => tagEntity(tag, render.urls)))}}`),
    ])
  },
})

export const searchAccounts = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/search',
  access: User('read:accounts'),
  summary: 'Accounts by handle or name, the exact handle first.',
  input: form({ q: text(), limit: limit(PAGE_SIZES.people), offset: integer(), resolve: flag(), following: flag() }),
  handle: async ({ call, input, viewerId }, clients) => {
    const { search, render } = clients
    const sought = wanted(input.q)
    refuseNegative(input)
    if (input.resolve) await resolveQuery(call, { text: sought, viewerId }, clients)
    const { accounts } = await search.find(call, {
      viewerId,
      text: sought,
      accounts: true,
      resolve: input.resolve,
      following: input.following,
      limit: input.limit,
      offset: Math.min(input.offset ?? 0, MAX_SKIPPED),
    })
    return render.accounts(accounts)
  },
})
