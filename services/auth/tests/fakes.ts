import {
  AccountLifeDefinition,
  AccountsDefinition,
  AccountView,
  Credentials,
  DomainBlocksDefinition,
  GraphDefinition,
  InteractionsDefinition,
  ListsDefinition,
  ModerationDefinition,
  MovesDefinition,
  PortabilityDefinition,
  StaffStatusesDefinition,
  TimelinesDefinition,
  ViewsDefinition,
} from '@rookery/contracts/statuses'
import { Failure, notFound } from '@rookery/failures'
import { type Client, type Definition, handler, link } from '@rookery/rpc'
import type { StatusesClients } from '../src/module.ts'

type Account = {
  id: string
  username: string
  isActive: boolean
  locale: string
  role?: string
  isSilenced?: boolean
  isSuspended?: boolean
}

/** statuses' Accounts, as far as auth calls it, over a map. */
export type Statuses = {
  readonly accounts: Map<string, Account>
  /** Usernames, in lower case, of accounts that are gone. */
  readonly reserved: Set<string>
  /** The calls made, in order. */
  readonly calls: string[]
  /** Makes calls of a name fail until it is taken back; `after` lets them act first, as when the answer is lost. */
  breaking: { call: string; after?: boolean } | undefined
  readonly clients: StatusesClients
}

/** A service of statuses that these tests need not, and that does not answer. */
const away = <D extends Definition>(definition: D): Client<D> => {
  const refuse = () => Promise.reject(new Failure('unavailable', 'Service Unavailable'))
  const methods = Object.fromEntries(Object.keys(definition.methods).map((name) => [name, refuse]))
  return link(definition, handler(definition, methods as never), { wire: true })
}

export const createStatuses = (): Statuses => {
  const accounts = new Map<string, Account>()
  const reserved = new Set<string>()
  const calls: string[] = []
  const byName = (username: string) => [...accounts.values()].find((each) => each.username.toLowerCase() === username.toLowerCase())

  const guarded =
    <Request, Answer>(name: string, act: (request: Request) => Answer) =>
    async (_call: unknown, request: Request): Promise<Answer> => {
      calls.push(name)
      const fault = statuses.breaking?.call === name ? statuses.breaking : undefined
      if (fault && !fault.after) throw new Failure('unavailable', 'Service Unavailable')
      const answer = act(request)
      if (fault) throw new Failure('unavailable', 'Service Unavailable')
      return answer
    }

  const served = handler(AccountsDefinition, {
    open: guarded('open', ({ id, username, isActive, locale }) => {
      const other = byName(username)
      if (other && other.id !== id) throw new Failure('conflict', 'Conflict during update, please try again')
      accounts.set(id, { id, username, isActive, locale })
      return {}
    }),
    withdraw: guarded('withdraw', ({ id }) => {
      accounts.delete(id)
      return {}
    }),
    setActive: guarded('setActive', ({ id, isActive }) => {
      const account = accounts.get(id)
      if (!account) throw notFound()
      account.isActive = isActive
      return {}
    }),
    readUsernames: guarded('readUsernames', ({ ids, usernames }) => {
      const wanted = [...ids.map((id) => accounts.get(id)), ...usernames.map(byName)]
      const named = wanted.flatMap((account) => (account ? { id: account.id, username: account.username } : []))
      return { accounts: named, reservedUsernames: usernames.map((name) => name.toLowerCase()).filter((name) => reserved.has(name)) }
    }),
    read: async () => AccountView.fromPartial({}),
    lookup: async () => AccountView.fromPartial({}),
    readCredentials: async () => Credentials.fromPartial({}),
    update: async () => Credentials.fromPartial({}),
  })
  const life = handler(AccountLifeDefinition, {
    close: guarded('close', ({ id }) => {
      accounts.delete(id)
      return {}
    }),
    setRole: guarded('setRole', ({ id, role }) => {
      const account = accounts.get(id)
      if (!account) throw notFound()
      account.role = role
      return {}
    }),
  })
  const moderation = handler(ModerationDefinition, {
    listAccounts: async () => ({ accounts: [], cursors: undefined }),
    applyAct: guarded('applyAct', ({ accountId, isSilenced, isSuspended }) => {
      const account = accounts.get(accountId)
      if (!account) throw notFound()
      if (isSilenced !== undefined) account.isSilenced = isSilenced
      if (isSuspended !== undefined) account.isSuspended = isSuspended
      return AccountView.fromPartial({ id: accountId })
    }),
  })
  const clients = {
    accounts: link(AccountsDefinition, served, { wire: true }),
    accountLife: link(AccountLifeDefinition, life, { wire: true }),
    dataExport: away(PortabilityDefinition),
    timelines: away(TimelinesDefinition),
    graph: away(GraphDefinition),
    lists: away(ListsDefinition),
    moderation: link(ModerationDefinition, moderation, { wire: true }),
    staffStatuses: away(StaffStatusesDefinition),
    moves: away(MovesDefinition),
    domainBlocks: away(DomainBlocksDefinition),
    interactions: away(InteractionsDefinition),
    views: away(ViewsDefinition),
  }
  const statuses: Statuses = { accounts, reserved, calls, breaking: undefined, clients }
  return statuses
}
