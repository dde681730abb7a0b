import { createHash } from 'node:crypto'
import { IpBlocksDefinition, LoginState, type TokenHolder, TokenState, TokensDefinition } from '@rookery/contracts/auth'
import {
  AccountBody,
  ConversationPage,
  ConversationsDefinition,
  type Flags,
  ListsDefinition,
  QuoteApproval,
  QuotePolicy,
  StatusBody,
  type StatusItem,
  StatusPage,
  type ViewerFiltered,
  ViewsDefinition,
  Visibility,
} from '@rookery/contracts/statuses'
import { notFound, unavailable } from '@rookery/failures'
import { handler, link } from '@rookery/rpc'

/** A service's answers, or its absence. */
type Presence = { isAway: boolean }

const refuseWhen = ({ isAway }: Presence) => {
  if (isAway) throw unavailable('away')
}

const UNKNOWN = {
  state: TokenState.UNKNOWN,
  accountId: '',
  appId: '',
  appName: '',
  appNumber: 0,
  appWebsite: '',
  scopes: [],
  loginState: LoginState.UNSPECIFIED,
  permissions: 0,
  tokenId: '',
  role: '',
} satisfies TokenHolder

/** auth's Tokens over tokens held in memory. */
export const auth = () => {
  const holders = new Map<string, TokenHolder>()
  const self = { isAway: false, checks: 0 }
  const tokens = handler(TokensDefinition, {
    async check(_call, { digests }) {
      self.checks++
      refuseWhen(self)
      return { holders: digests.map((digest) => holders.get(Buffer.from(digest).toString('hex')) ?? UNKNOWN) }
    },
  })
  const barred: string[] = []
  const unused = () => Promise.reject(new Error('streaming does not ask this'))
  const ipBlocks = handler(IpBlocksDefinition, {
    ...{ list: unused, read: unused, create: unused, change: unused, delete: unused },
    async readBarred() {
      refuseWhen(self)
      return { networks: barred }
    },
  })
  const set = (token: string, holder: Partial<TokenHolder>) => {
    const hex = createHash('sha256').update(token).digest('hex')
    holders.set(hex, { ...UNKNOWN, ...(holders.get(hex) ?? {}), ...holder })
  }
  return {
    self,
    client: link(TokensDefinition, tokens, { wire: true }),
    /** Networks without access. */
    barred,
    ipBlocksClient: link(IpBlocksDefinition, ipBlocks, { wire: true }),
    /** Creates a token of a person's, named by itself. */
    issue: (token: string, accountId: string, scopes: string[] = ['read']) =>
      set(token, { state: TokenState.VALID, tokenId: `id of ${token}`, accountId, scopes, loginState: LoginState.ACTIVE }),
    /** Changes what is true of a token. */
    set,
  }
}

const NO_QUOTES = { quotesCount: 0, quotePolicy: QuotePolicy.PUBLIC, quoteApproval: QuoteApproval.AUTOMATIC }
const NO_FLAGS: Flags = { favourited: false, reblogged: false, bookmarked: false, muted: false }

type Said = { id: string; authorId: string; content?: string }

const resultOf = (title: string) => ({
  filter: { id: '1', title, contexts: ['home'], action: 'warn' },
  keywordMatches: ['tea'],
  statusMatches: [],
})

type Conversation = { id: string; ownerId: string; otherId: string; lastStatusId: string; isUnread: boolean }

/** statuses' Views and Conversations over statuses and conversations held in memory. */
export const statuses = () => {
  const said = new Map<string, Said>()
  const flags = new Map<string, Flags>()
  const hidden = new Set<string>()
  const filtering = new Map<string, ViewerFiltered>()
  const conversations = new Map<string, Conversation>()
  const lists = new Map<string, string>()
  const gates = new Map<string, Promise<void>>()
  const self = { isAway: false, calls: [] as string[] }

  const account = (id: string) => ({
    id,
    version: 1,
    body: Buffer.from(AccountBody.encode(AccountBody.fromPartial({ id, username: `person${id}` })).finish()),
  })
  const item = (id: string, viewerFlags?: Flags): StatusItem => ({
    id,
    overlay: { ...NO_QUOTES, repliesCount: 1, reblogsCount: 2, favouritesCount: 3, flags: viewerFlags },
    reblogOfId: '',
  })
  const pageOf = ({ id, authorId, content = '<p>tea</p>' }: Said, viewerFlags?: Flags) => {
    const body = StatusBody.fromPartial({ id, accountId: authorId, username: `person${authorId}`, content, visibility: Visibility.PUBLIC })
    const view = { id, version: 1, accountId: authorId, body: Buffer.from(StatusBody.encode(body).finish()) }
    return StatusPage.fromPartial({ items: [item(id, viewerFlags)], statuses: [view], accounts: [account(authorId)] })
  }
  const maySee = (authorId: string, viewerId: string) => !hidden.has(`${authorId} from ${viewerId}`)
  const flagsOf = (id: string, viewerId: string) => flags.get(`${id} for ${viewerId}`) ?? NO_FLAGS
  const viewerOf = (id: string, viewerId: string) => ({
    viewerId,
    flags: flagsOf(id, viewerId),
    filtered: filtering.get(viewerId)?.filtered,
  })
  const begin = (call: string) => {
    self.calls.push(call)
    refuseWhen(self)
  }

  const views = handler(ViewsDefinition, {
    async readStatuses(_call, { ids, viewerId }) {
      begin('readStatuses')
      const status = said.get(ids[0] ?? '')
      return status && maySee(status.authorId, viewerId) ? pageOf(status, flagsOf(status.id, viewerId)) : StatusPage.fromPartial({})
    },
    async readAccounts(_call, { ids }) {
      begin('readAccounts')
      return { accounts: ids.map(account) }
    },
    readVisible: () => Promise.reject(unavailable('not asked by streaming')),
    async readForViewers(_call, { statusId, viewerIds }) {
      begin('readForViewers')
      await gates.get(statusId)
      const status = said.get(statusId)
      if (!status) return { viewers: [], listeners: [] }
      const seeing = viewerIds.filter((viewerId) => maySee(status.authorId, viewerId))
      return { page: pageOf(status), viewers: seeing.map((viewerId) => viewerOf(statusId, viewerId)), listeners: [] }
    },
    async siftViewers(_call, { authorId, viewerIds }) {
      begin('siftViewers')
      const filtered = viewerIds.flatMap((viewerId) => filtering.get(viewerId) ?? [])
      return { viewerIds: viewerIds.filter((viewerId) => maySee(authorId, viewerId)), filtered }
    },
    async readReports() {
      return { reports: [], accounts: [] }
    },
  })

  const notAsked = () => Promise.reject(unavailable('not asked by streaming'))
  const ownConversations = handler(ConversationsDefinition, {
    list: notAsked,
    markRead: notAsked,
    markUnread: notAsked,
    hide: notAsked,
    async read(_call, { id, viewerId }) {
      begin('readConversation')
      const found = conversations.get(id)
      if (found?.ownerId !== viewerId) return ConversationPage.fromPartial({})
      const { otherId, lastStatusId, isUnread } = found
      const last = said.get(lastStatusId)
      const views = last ? pageOf(last, flagsOf(last.id, viewerId)) : StatusPage.fromPartial({ accounts: [account(otherId)] })
      return ConversationPage.fromPartial({ conversations: [{ id, isUnread, accountIds: [otherId], lastStatusId }], views })
    },
  })

  const ownLists = handler(ListsDefinition, {
    create: notAsked,
    change: notAsked,
    delete: notAsked,
    readAll: notAsked,
    readMembers: notAsked,
    addMembers: notAsked,
    removeMembers: notAsked,
    async read(_call, { id, viewerId }) {
      begin('readList')
      if (lists.get(id) !== viewerId) throw notFound('not theirs')
      return { id, title: '', repliesPolicy: 'list', isExclusive: false }
    },
  })

  return {
    self,
    listsClient: link(ListsDefinition, ownLists, { wire: true }),
    /** Has a person keep a list. */
    keepList: (id: string, ownerId: string) => lists.set(id, ownerId),
    conversationsClient: link(ConversationsDefinition, ownConversations, { wire: true }),
    converse: (conversation: Conversation) => conversations.set(conversation.id, conversation),
    client: link(ViewsDefinition, views, { wire: true }),
    say: (status: Said) => said.set(status.id, status),
    /** Deletes a status. */
    forget: (id: string) => said.delete(id),
    flag: (id: string, viewerId: string, given: Partial<Flags>) => flags.set(`${id} for ${viewerId}`, { ...NO_FLAGS, ...given }),
    /** Has a viewer's filter fit everything. */
    filter: (viewerId: string, title: string) => filtering.set(viewerId, { viewerId, filtered: { results: [resultOf(title)] } }),
    hide: (authorId: string, viewerId: string) => hidden.add(`${authorId} from ${viewerId}`),
    /** Holds answers about a status until the gate opens. */
    hold: (id: string) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gates.set(id, promise)
      return resolve
    },
    pageOf,
    flagsOf,
    account,
  }
}
