import { batching } from '@rookery/batching'
import type { CachePool } from '@rookery/cache'
import { type Credentials, Visibility } from '@rookery/contracts/statuses'
import { type Database, type Remembered, untilWritten } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import {
  type AccountEntry,
  presentAccount,
  readAccountVersions,
  type VersionedCache,
  type Views,
  versionedCache,
} from '../../views/index.ts'
import { type CredentialsRow, readCredentialsRows } from './account.store.ts'

const PRIVACY_NAMES: Partial<Record<number, string>> = {
  [Visibility.PUBLIC]: 'public',
  [Visibility.UNLISTED]: 'unlisted',
  [Visibility.PRIVATE]: 'private',
}

/** Maximum number of follow requests shown to clients (beyond-the-spec 1.1). */
const MAX_REQUESTS_SHOWN = 40

type VersionedCredentials = { id: string; version: number; account: AccountEntry; credentials: Credentials }

const presentCredentials = (row: CredentialsRow): VersionedCredentials => {
  const account = presentAccount(row)
  const credentials: Credentials = {
    account,
    privacy: PRIVACY_NAMES[row.defaultPrivacy ?? (row.locked ? Visibility.PRIVATE : Visibility.PUBLIC)] ?? 'public',
    sensitive: row.defaultSensitive,
    language: row.defaultLanguage ?? undefined,
    note: row.note,
    fields: row.fields.map(({ name, value }) => ({ name, value })),
    followRequestsCount: Math.min(row.followRequestsCount, MAX_REQUESTS_SHOWN),
    hideCollections: row.hideCollections ?? undefined,
    discoverable: row.discoverable ?? undefined,
    indexable: row.indexable,
    quotePolicy: row.defaultQuotePolicy ?? 'public',
    expandMedia: row.expandMedia ?? 'default',
    expandSpoilers: row.expandSpoilers,
    autoplayGifs: row.autoplayGifs,
    attributionDomains: row.attributionDomains,
    showMedia: row.showMedia,
    showMediaReplies: row.showMediaReplies,
    showFeatured: row.showFeatured,
    locale: row.locale ?? row.defaultLanguage ?? undefined,
  }
  return { id: account.id, version: account.version, account, credentials }
}

/**
 * The owner's view of an account (spec, verify_credentials). Versions are read each time, in one statement for concurrent requests, or in the one
 * process only after an account was written; the rest is cached by version. Undefined for a deleted account.
 */
export const readCredentials = (deps: { database: Database<StatusesTables>; views: Views; pool: CachePool }) => {
  const cache: VersionedCache<VersionedCredentials> = versionedCache(
    async (ids) => (await readCredentialsRows(deps.database, { ids })).map(presentCredentials),
    deps.pool.cache('credentials'),
  )
  const load = async (ids: string[]) => {
    const versions = new Map((await readAccountVersions(deps.database, { ids })).map(({ id, version }) => [id, version]))
    const found = await cache.hydrate(versions)
    const accounts = await deps.views.withMoves([...found.values()].map(({ account }) => account))
    return new Map(accounts.map((account) => [account.id, { ...found.get(account.id)!.credentials, account }]))
  }
  const memory = deps.pool.cache<Remembered<Credentials>>('current credentials')
  const read = batching(untilWritten(load, { writes: deps.database.writes, tables: ['account'], memory }))
  return (accountId: string): Promise<Credentials | undefined> => read(accountId)
}
