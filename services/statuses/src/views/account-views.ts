import type { AccountPage, AccountView } from '@rookery/contracts/statuses'
import { type Database, fillRecords, type Page } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { type AccountRow, readAccountVersions, readActorVersions } from './account.store.ts'
import { destinationFinder } from './hydrate/moves.ts'
import type { VersionedCache } from './hydrate/versioned.ts'
import type { AccountEntry } from './present/account.ts'

/** The id and version of an account. */
type Versioned = Pick<AccountRow, 'id' | 'version'>

/** Options for reading accounts that have not joined yet. */
type Reading = {
  /** The viewer sees their own account before it has joined. */
  viewerId?: string
  /** Includes accounts that have not joined yet: for staff. */
  withNewcomers?: boolean
  /** Leaves out accounts whose notifications this account's blocks and mutes keep away. */
  recipientId?: string
}

/** A row that lists an account: a follow, a favourite, … */
type Association = { accountId: string; cursor: string }

/** Reads accounts as clients see them, each with the account it moved to. */
export type AccountViews = {
  /**
   * Accounts in the order given. Deleted ones are left out, and unless requested those that have not joined; suspended ones are blank. Two statements
   * with a cold cache, one with a warm one; the same again for accounts that moved.
   */
  accounts(ids: readonly string[], reading?: Reading): Promise<AccountView[]>
  /** Accounts in the order given, each at least at its version; deleted ones are left out. No statement if all are cached and none moved. */
  accountsAt(versions: readonly Versioned[]): Promise<AccountView[]>
  /** As `accounts`, without suspended ones. */
  listedAccounts(ids: readonly string[], reading?: Reading): Promise<AccountView[]>
  /** The ids of `listedAccounts`, in no particular order. One statement. */
  listedAccountIds(ids: readonly string[], reading?: Reading): Promise<string[]>
  /** A page of accounts from association rows, without suspended ones, which further reads replace. The limit 0 is one read. */
  accountPage(page: Page, read: (part: Page) => Promise<Association[]>): Promise<AccountPage>
  /** The given accounts, each with the account it moved to. No statement if none moved. */
  withMoves(entries: readonly AccountEntry[]): Promise<AccountView[]>
}

/** Adds the accounts that people moved to, read by version over a cache. */
export const accountMoves = (database: Database<StatusesTables>, accounts: VersionedCache<AccountEntry>) =>
  destinationFinder({
    readVersions: (ids) => readAccountVersions(database, { ids }),
    hydrate: (versions) => accounts.hydrate(versions),
  })

/** AccountViews over a database and a cache. */
export const accountViews = (deps: {
  database: Database<StatusesTables>
  accounts: VersionedCache<AccountEntry>
  followMoves: ReturnType<typeof accountMoves>
  clock: Clock
}): AccountViews => {
  const { database, accounts, followMoves, clock } = deps
  const readVersions = (ids: readonly string[], recipientId: string | undefined) =>
    recipientId ? readActorVersions(database, { ids, recipientId, now: new Date(clock.now()) }) : readAccountVersions(database, { ids })
  const hydrateAccounts = async (rows: readonly Versioned[], ids: readonly string[] = rows.map(({ id }) => id)) => {
    const found = await followMoves(await accounts.hydrate(new Map(rows.map(({ id, version }) => [id, version]))))
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  const shown = async (ids: readonly string[], { viewerId, withNewcomers = false, recipientId }: Reading = {}) =>
    (await readVersions(ids, recipientId)).filter(({ id, isThere }) => isThere || withNewcomers || id === viewerId)

  const listed = async (ids: readonly string[], reading?: Reading) => (await shown(ids, reading)).filter(({ isSuspended }) => !isSuspended)

  return {
    async accounts(ids, reading) {
      return hydrateAccounts(await shown(ids, reading), ids)
    },
    accountsAt: (versions) => hydrateAccounts(versions),
    async withMoves(entries) {
      return [...(await followMoves(new Map(entries.map((entry) => [entry.id, entry])))).values()]
    },
    async listedAccounts(ids, reading) {
      return hydrateAccounts(await listed(ids, reading), ids)
    },
    async listedAccountIds(ids, reading) {
      return (await listed(ids, reading)).map(({ id }) => id)
    },
    async accountPage(page, read) {
      // The limit 0 asks for everything, or for nothing: there is no other page.
      if (page.limit === 0)
        return { accounts: await this.listedAccounts((await read(page)).map(({ accountId }) => accountId)), cursors: undefined }
      const { records, cursors } = await fillRecords(page, {
        read,
        cursorOf: ({ cursor }) => cursor,
        idOf: ({ accountId }) => accountId,
        records: (ids) => this.listedAccounts(ids),
      })
      return { accounts: records, cursors }
    },
  }
}
