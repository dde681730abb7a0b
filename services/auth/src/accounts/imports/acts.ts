import type {
  AccountsDefinition,
  DomainBlocksDefinition,
  GraphDefinition,
  InteractionsDefinition,
  ListsDefinition,
} from '@rookery/contracts/statuses'
import { Failure, orNotFound } from '@rookery/failures'
import type { Client } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import type { FederationClients } from '../../federation-clients.ts'
import { flagOf, languagesOf, statusIdOf } from './line.rules.ts'

export type ActsDeps = {
  baseUrl: string
  statuses: {
    accounts: Client<AccountsDefinition>
    graph: Client<GraphDefinition>
    lists: Client<ListsDefinition>
    domainBlocks: Client<DomainBlocksDefinition>
    interactions: Client<InteractionsDefinition>
  }
  federation: FederationClients
}

type Cells = readonly string[]

/** The action for a row of a kind, and its inverse. Both are idempotent. */
type Act = { apply(viewerId: string, cells: Cells): Promise<unknown>; undo(viewerId: string, cells: Cells): Promise<unknown> }

const call = () => callWithin(20)

/** A call that asks another server: for a WebFinger handle, perhaps by a second server that is responsible for it, and for the actor. */
const callElsewhere = () => callWithin(45)

const isOnList = (error: unknown) => error instanceof Failure && error.message.endsWith('Account has already been taken')

type IdOf = (viewerId: string, acct: string | undefined) => Promise<string>
/**
 * Find accounts by handle: `known` on this server, `found` also on theirs.
 * @throws Failure not_found; exhausted when the limit of lookups is reached
 */
type Finders = { known: IdOf; found: IdOf }

const isMissing = (error: unknown) => error instanceof Failure && error.kind === 'not_found'

const createFinders = ({ statuses, federation }: ActsDeps): Finders => {
  const known: IdOf = async (viewerId, acct = '') => (await statuses.accounts.lookup(call(), { acct, viewerId })).id
  return {
    known,
    found: (viewerId, acct = '') =>
      known(viewerId, acct).catch(async (error: unknown) => {
        if (!isMissing(error)) throw error
        const sought = { handle: acct, askerId: viewerId, isFresh: false, isImported: true }
        return (await federation.resolver.resolveHandle(callElsewhere(), sought)).accountId
      }),
  }
}

/** Adds an account to the list with a title, which is created if missing. */
const listAct = (lists: ActsDeps['statuses']['lists'], { known, found }: Finders): Act => {
  const find = async (viewerId: string, title: string) => {
    const own = await lists.readAll(call(), { viewerId, memberId: undefined })
    return own.lists.find((list) => list.title === title)
  }
  return {
    apply: async (viewerId, [title = '', acct]) => {
      const accountId = await found(viewerId, acct)
      const made = { viewerId, title, repliesPolicy: '', isExclusive: false }
      const list = (await find(viewerId, title)) ?? (await lists.create(call(), made))
      await lists.addMembers(call(), { id: list.id, viewerId, accountIds: [accountId] }).catch((error) => {
        if (!isOnList(error)) throw error
      })
    },
    undo: async (viewerId, [title = '', acct]) => {
      const list = await find(viewerId, title)
      if (list) await lists.removeMembers(call(), { id: list.id, viewerId, accountIds: [await known(viewerId, acct)] })
    },
  }
}

/** Resolves statuses by URL, local or remote. */
const statusFinder =
  ({ baseUrl, federation }: ActsDeps) =>
  async (viewerId: string, address: string): Promise<string> => {
    const own = statusIdOf(address, baseUrl)
    if (own) return own
    const { statusId } = await federation.resolver.resolveUrl(callElsewhere(), { url: address, askerId: viewerId, isImported: true })
    return orNotFound(statusId || undefined, 'no status at this address')
  }

/** The actions of all kinds of import. Each calls the same use case as the API, with all its rules. */
export const importActs = (deps: ActsDeps): Readonly<Record<string, Act>> => {
  const { graph, lists, domainBlocks, interactions } = deps.statuses
  const finders = createFinders(deps)
  const statusAt = statusFinder(deps)
  const found = async (viewerId: string, [acct]: Cells) => ({ viewerId, accountId: await finders.found(viewerId, acct) })
  const known = async (viewerId: string, [acct]: Cells) => ({ viewerId, accountId: await finders.known(viewerId, acct) })
  return {
    following: {
      apply: async (viewerId, cells) => {
        const [, reblogs, notify, languages] = cells
        const options = { reblogs: flagOf(reblogs, true), notify: flagOf(notify, false), languages: { languages: languagesOf(languages) } }
        return graph.follow(call(), { ...(await found(viewerId, cells)), ...options })
      },
      undo: async (viewerId, cells) => graph.unfollow(call(), await known(viewerId, cells)),
    },
    blocks: {
      apply: async (viewerId, cells) => graph.block(call(), await found(viewerId, cells)),
      undo: async (viewerId, cells) => graph.unblock(call(), await known(viewerId, cells)),
    },
    mutes: {
      apply: async (viewerId, cells) =>
        graph.mute(call(), { ...(await found(viewerId, cells)), notifications: flagOf(cells[1], true), durationSeconds: 0 }),
      undo: async (viewerId, cells) => graph.unmute(call(), await known(viewerId, cells)),
    },
    lists: listAct(lists, finders),
    domain_blocks: {
      apply: (viewerId, [domain = '']) => domainBlocks.block(call(), { viewerId, domain }),
      undo: (viewerId, [domain = '']) => domainBlocks.unblock(call(), { viewerId, domain }),
    },
    bookmarks: {
      apply: async (viewerId, [address = '']) => interactions.bookmark(call(), { viewerId, statusId: await statusAt(viewerId, address) }),
      undo: async (viewerId, [address = '']) => interactions.unbookmark(call(), { viewerId, statusId: await statusAt(viewerId, address) }),
    },
  }
}
