import type { CachePool } from '@rookery/cache'
import { AccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import { acknowledging, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AttachmentClaims } from '../../content/attachments/index.ts'
import type { EmojiFinder } from '../../content/emojis/index.ts'
import type { MentionFinder } from '../../content/text/index.ts'
import { markRecentUses } from '../../content/uses/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { profileChanged } from './account.events.ts'
import { AccountReader, AccountWriter } from './account.store.ts'
import { handleIn } from './lookup-account.ts'
import { openAccount } from './open-account.ts'
import { readCredentials } from './read-credentials.ts'
import { updateAccount } from './update-account.ts'

type Deps = {
  database: Database<StatusesTables>
  outbox: Outbox
  views: Views
  claims: AttachmentClaims
  findMentions: MentionFinder
  findEmojis: EmojiFinder
  baseUrl: string
  clock: Clock
  pool: CachePool
}

/** Serves Accounts of the contract: opening, reading and changing accounts. */
export const createAccountsRpc = (deps: Deps): Handler => {
  const { db } = deps.database
  const open = openAccount({ db })
  const update = updateAccount({
    db,
    outbox: deps.outbox,
    claims: deps.claims,
    findMentions: deps.findMentions,
    findEmojis: deps.findEmojis,
    baseUrl: deps.baseUrl,
  })
  const credentials = readCredentials(deps)
  const read = async ({ id, ...reading }: { id: string; viewerId: string; withNewcomers?: boolean }) =>
    orNotFound((await deps.views.accounts([id], reading))[0])
  return handler(AccountsDefinition, {
    open: acknowledging(open),
    withdraw: async (_call, { id }) => {
      await transact(db, (tx) => new AccountWriter(tx).remove(id))
      return {}
    },
    setActive: async (_call, { id, isActive, hasJoined }) => {
      await transact(db, async (tx) => {
        const isChanged = await new AccountWriter(tx).setActive({ id, isActive, hasJoined })
        // Other servers get the profile again.
        if (isChanged && isActive) await deps.outbox.append(tx, [profileChanged(id)])
        await markRecentUses(tx, id, deps.clock.now())
      })
      return {}
    },
    read: (_call, request) => read(request),
    lookup: async (_call, { acct, viewerId }) => {
      const handle = orNotFound(handleIn(acct, deps.baseUrl))
      return read({ id: orNotFound(await new AccountReader(db).idOf(handle)), viewerId })
    },
    readCredentials: async (_call, { accountId }) => orNotFound(await credentials(accountId)),
    update: async (call, request) => {
      await update(call, request)
      return orNotFound(await credentials(request.accountId))
    },
    readUsernames: async (_call, { ids, usernames }) => {
      const reader = new AccountReader(db)
      const [named, reservedUsernames] = await Promise.all([reader.named(ids, usernames), reader.reserved(usernames)])
      return { accounts: named, reservedUsernames }
    },
  })
}
