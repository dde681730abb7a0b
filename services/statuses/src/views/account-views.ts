import type { AccountPage, AccountView } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, type Page } from '@rookery/database'
import type { StatusesTables } from '../database/schema.ts'
import { type AccountRow, readAccountVersions } from './account.store.ts'
import { destinationFinder } from './hydrate/moves.ts'
import type { VersionedCache } from './hydrate/versioned.ts'
import type { AccountEntry } from './present/account.ts'

/** An account and its version. */
type Versioned = Pick<AccountRow, 'id' | 'version'>

/** Who reads accounts, where it matters: themselves, or for what shows newcomers too. */
type Reading = {
  /** Sees themselves also before they have joined. */
  viewerId?: string
  /** Those who signed up and have not joined yet are shown: to staff. */
  withNewcomers?: boolean
}

/** Accounts as clients see them, each with where its owner moved to. */
export type AccountViews = {
  /**
   * Accounts in the order given; those that are gone, and newcomers unless wanted, are left out, suspended ones are blank. Two statements cold,
   * one warm; for who moved, as many again.
   */
  accounts(ids: readonly string[], reading?: Reading): Promise<AccountView[]>
  /** Accounts in the order given, each at least at its version; those that are gone are left out. No statement when everything is in memory and no one moved. */
  accountsAt(versions: readonly Versioned[]): Promise<AccountView[]>
  /** Those of `accounts`, but suspended ones are left out too. */
  listedAccounts(ids: readonly string[], reading?: Reading): Promise<AccountView[]>
  /** Which accounts these would be. One statement. */
  listedAccountIds(ids: readonly string[], reading?: Reading): Promise<string[]>
  /** A page of accounts found by association rows, without suspended ones. */
  accountPage(rows: readonly { accountId: string; cursor: string }[], page: Page): Promise<AccountPage>
  /** These accounts with where people moved to. No statement where no one moved. */
  withMoves(entries: readonly AccountEntry[]): Promise<AccountView[]>
}

/** Accounts by version over a cache, followed to where they moved. */
export const accountMoves = (database: Database<StatusesTables>, accounts: VersionedCache<AccountEntry>) =>
  destinationFinder({
    readVersions: (ids) => readAccountVersions(database, { ids }),
    hydrate: (versions) => accounts.hydrate(versions),
  })

/** The accounts of a database over a cache. */
export const accountViews = (deps: {
  database: Database<StatusesTables>
  accounts: VersionedCache<AccountEntry>
  followMoves: ReturnType<typeof accountMoves>
}): AccountViews => {
  const { database, accounts, followMoves } = deps
  const hydrateAccounts = async (rows: readonly Versioned[], ids: readonly string[] = rows.map(({ id }) => id)) => {
    const found = await followMoves(await accounts.hydrate(new Map(rows.map(({ id, version }) => [id, version]))))
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  const shown = async (ids: readonly string[], { viewerId, withNewcomers = false }: Reading = {}) =>
    (await readAccountVersions(database, { ids })).filter(({ id, isThere }) => isThere || withNewcomers || id === viewerId)

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
    async accountPage(rows, page) {
      const { rows: ordered, cursors } = cursorsOf(page, rows, (row) => row.cursor)
      const accounts = await this.listedAccounts(ordered.map((row) => row.accountId))
      // The limit 0 asks for everything, or for nothing: there is no other page.
      return { accounts, cursors: page.limit === 0 ? undefined : cursors }
    },
  }
}
