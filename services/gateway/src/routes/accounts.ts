import { BATCHES, PAGE_SIZES } from '@rookery/contracts/limits'
import { Failure, invalid } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { App, Public, User } from '../http/access.ts'
import { endpoint, STATUS_LIST } from '../http/endpoint.ts'
import { flag, form, pageOf, paging, text, textList } from '../http/fields.ts'
import { accountsReply, recordId, statusesReply } from './replies.ts'
import { roleOf } from './role.ts'

export const registerAccount = endpoint({
  method: 'POST',
  path: '/api/v1/accounts',
  access: App('write:accounts'),
  summary: 'Registers an account and returns a token for the app.',
  input: form({
    username: text(),
    email: text(),
    password: text(),
    agreement: flag(),
    locale: text(),
    reason: text(),
    invite_code: text(),
  }),
  limits: ['registrations'],
  handle: async ({ call, input, holder, address }, { registrations }) => {
    const issued = await registrations.register(call, {
      appId: holder?.appId ?? '',
      username: input.username ?? '',
      email: input.email ?? '',
      password: input.password ?? '',
      agreement: input.agreement,
      locale: input.locale ?? '',
      reason: input.reason ?? '',
      address,
      inviteCode: input.invite_code ?? '',
    })
    return { access_token: issued.accessToken, token_type: 'Bearer', scope: issued.scope, created_at: issued.createdAtSeconds }
  },
})

export const verifyCredentials = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/verify_credentials',
  access: User('read:accounts', 'profile'),
  summary: 'The account of the token, with what only its owner sees.',
  handle: async ({ call, viewerId, holder }, { accounts, render }) =>
    render.credentials(await accounts.readCredentials(call, { accountId: viewerId }), roleOf(holder)),
})

export const lookupAccount = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/lookup',
  access: Public('read:accounts'),
  summary: 'The account of a handle, if it is known here: no other server is asked, unlike by a search with resolve.',
  input: form({ acct: text() }),
  handle: async ({ call, input, viewerId }, { accounts, render }) => {
    if (!input.acct) throw new Failure('malformed', 'param is missing or the value is empty: acct')
    return render.account(await accounts.lookup(call, { acct: input.acct, viewerId }))
  },
})

export const readAccounts = endpoint({
  method: 'GET',
  path: '/api/v1/accounts',
  access: Public('read:accounts'),
  summary: 'Several accounts; those that are unknown are left out.',
  input: form({ id: textList() }),
  handle: async ({ call, input }, { views, render }) => {
    if (input.id.length > BATCHES.accounts) throw invalid(`No more than ${BATCHES.accounts} accounts can be asked for at once`)
    const ids = [...new Set(input.id.filter(isId))]
    return render.accounts((await views.readAccounts(call, { ids, withSuspended: true })).accounts)
  },
})

export const readAccount = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id',
  access: Public('read:accounts'),
  summary: 'An account.',
  handle: async ({ call, params, viewerId }, { accounts, render }) =>
    render.account(await accounts.read(call, { id: recordId(params), viewerId })),
})

export const readAccountStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/statuses',
  access: Public('read:statuses'),
  summary: 'Statuses of an account, newest first.',
  input: form({
    ...paging(PAGE_SIZES.statuses),
    only_media: flag(),
    exclude_replies: flag(),
    exclude_reblogs: flag(),
    pinned: flag(),
    tagged: text(),
  }),
  handle: async ({ call, params, input, viewerId }, clients) => {
    const page = await clients.timelines.readAccount(call, {
      viewerId,
      accountId: recordId(params),
      onlyMedia: input.only_media,
      excludeReplies: input.exclude_replies,
      excludeReblogs: input.exclude_reblogs,
      pinned: input.pinned,
      tagged: input.tagged,
      page: pageOf(input),
    })
    return statusesReply(page, clients, STATUS_LIST)
  },
})

export const readIdentityProofs = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/identity_proofs',
  access: User('read:accounts'),
  summary: 'Deprecated: always empty.',
  handle: async ({ call, params, viewerId }, { accounts }) => {
    await accounts.read(call, { id: recordId(params), viewerId })
    return []
  },
})

const accountList = (path: string, summary: string, list: 'readFollowers' | 'readFollowing') =>
  endpoint({
    method: 'GET',
    path,
    access: Public('read:accounts'),
    summary,
    input: form(paging(PAGE_SIZES.people)),
    handle: async ({ call, params, input, viewerId }, clients) =>
      accountsReply(await clients.graph[list](call, { accountId: recordId(params), viewerId, page: pageOf(input) }), clients),
  })

export const readFollowers = accountList('/api/v1/accounts/:id/followers', 'Who follows an account, latest first.', 'readFollowers')
export const readFollowing = accountList('/api/v1/accounts/:id/following', 'Whom an account follows, latest first.', 'readFollowing')
