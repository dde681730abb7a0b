import type {
  AccountsDefinition,
  DomainBlocksDefinition,
  GraphDefinition,
  InteractionsDefinition,
  ListsDefinition,
} from '@rookery/contracts/statuses'
import { Failure, orNotFound } from '@rookery/failures'
import type { Client } from '@rookery/rpc'
import { ownCall } from '../../calls.ts'
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
}

type Cells = readonly string[]

/** What a line of a kind asks for, and how that is taken back. Both may be done again. */
type Act = { apply(viewerId: string, cells: Cells): Promise<unknown>; undo(viewerId: string, cells: Cells): Promise<unknown> }

const call = () => ownCall(20)

const isOnList = (error: unknown) => error instanceof Failure && error.message.endsWith('Account has already been taken')

type IdOf = (viewerId: string, acct: string | undefined) => Promise<string>

/** Puts people on a list by its title, which is made where there is none. */
const listAct = (lists: ActsDeps['statuses']['lists'], idOf: IdOf): Act => {
  const find = async (viewerId: string, title: string) => {
    const own = await lists.readAll(call(), { viewerId, memberId: undefined })
    return own.lists.find((list) => list.title === title)
  }
  return {
    apply: async (viewerId, [title = '', acct]) => {
      const accountId = await idOf(viewerId, acct)
      const made = { viewerId, title, repliesPolicy: '', isExclusive: false }
      const list = (await find(viewerId, title)) ?? (await lists.create(call(), made))
      await lists.addMembers(call(), { id: list.id, viewerId, accountIds: [accountId] }).catch((error) => {
        if (!isOnList(error)) throw error
      })
    },
    undo: async (viewerId, [title = '', acct]) => {
      const list = await find(viewerId, title)
      if (list) await lists.removeMembers(call(), { id: list.id, viewerId, accountIds: [await idOf(viewerId, acct)] })
    },
  }
}

/** The kinds of files that can be read in. Each act is one of the API's, with all its rules. */
export const importActs = ({ baseUrl, statuses }: ActsDeps): Readonly<Record<string, Act>> => {
  const { accounts, graph, lists, domainBlocks, interactions } = statuses
  const idOf: IdOf = async (viewerId, acct) => (await accounts.lookup(call(), { acct: acct ?? '', viewerId })).id
  const relation = async (viewerId: string, [acct]: Cells) => ({ viewerId, accountId: await idOf(viewerId, acct) })
  const bookmark = ([address = '']: Cells, viewerId: string) => ({
    viewerId,
    statusId: orNotFound(statusIdOf(address, baseUrl), 'an address elsewhere'),
  })
  return {
    following: {
      apply: async (viewerId, [acct, reblogs, notify, languages]) =>
        graph.follow(call(), {
          viewerId,
          accountId: await idOf(viewerId, acct),
          reblogs: flagOf(reblogs, true),
          notify: flagOf(notify, false),
          languages: { languages: languagesOf(languages) },
        }),
      undo: async (viewerId, cells) => graph.unfollow(call(), await relation(viewerId, cells)),
    },
    blocks: {
      apply: async (viewerId, cells) => graph.block(call(), await relation(viewerId, cells)),
      undo: async (viewerId, cells) => graph.unblock(call(), await relation(viewerId, cells)),
    },
    mutes: {
      apply: async (viewerId, cells) =>
        graph.mute(call(), { ...(await relation(viewerId, cells)), notifications: flagOf(cells[1], true), durationSeconds: 0 }),
      undo: async (viewerId, cells) => graph.unmute(call(), await relation(viewerId, cells)),
    },
    lists: listAct(lists, idOf),
    domain_blocks: {
      apply: (viewerId, [domain = '']) => domainBlocks.block(call(), { viewerId, domain }),
      undo: (viewerId, [domain = '']) => domainBlocks.unblock(call(), { viewerId, domain }),
    },
    bookmarks: {
      apply: async (viewerId, cells) => interactions.bookmark(call(), bookmark(cells, viewerId)),
      undo: async (viewerId, cells) => interactions.unbookmark(call(), bookmark(cells, viewerId)),
    },
  }
}
