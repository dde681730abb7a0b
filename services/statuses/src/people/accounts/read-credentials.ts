import type { CachePool } from '@rookery/cache'
import { batching } from '@rookery/coalesce'
import { type Credentials, Visibility } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import {
  type AccountEntry,
  type AccountRow,
  assembleAccount,
  readAccountVersions,
  type VersionedCache,
  type Views,
  versionedCache,
} from '../../views/index.ts'
import { type CredentialsRow, type OwnColumns, readCredentialsRows } from './account.store.ts'

const PRIVACY_NAMES: Partial<Record<number, string>> = {
  [Visibility.PUBLIC]: 'public',
  [Visibility.UNLISTED]: 'unlisted',
  [Visibility.PRIVATE]: 'private',
}

/** Columns of an AccountRow within a CredentialsRow. */
const PUBLIC_COLUMNS = 26
/** What clients are shown at most (beyond-the-spec 1.1). */
const MAX_REQUESTS_SHOWN = 40

type VersionedCredentials = { id: string; version: number; account: AccountEntry; credentials: Credentials }

const assembleCredentials = (row: CredentialsRow): VersionedCredentials => {
  const columns = row.slice(0, PUBLIC_COLUMNS) as AccountRow
  const [privacy, sensitive, language, note, followRequestsCount, quotePolicy, attributionDomains, ...parts] = row.slice(
    PUBLIC_COLUMNS,
  ) as OwnColumns
  const [showMedia, showMediaReplies, showFeatured] = parts
  const account = assembleAccount(columns)
  const locked = columns[4]
  const credentials: Credentials = {
    account,
    privacy: PRIVACY_NAMES[privacy ?? (locked ? Visibility.PRIVATE : Visibility.PUBLIC)] ?? 'public',
    sensitive,
    language: language ?? undefined,
    note,
    fields: columns[19].map(({ name, value }) => ({ name, value })),
    followRequestsCount: Math.min(followRequestsCount, MAX_REQUESTS_SHOWN),
    hideCollections: columns[8] ?? undefined,
    discoverable: columns[6] ?? undefined,
    indexable: columns[7],
    quotePolicy: quotePolicy ?? 'nobody',
    attributionDomains,
    showMedia,
    showMediaReplies,
    showFeatured,
  }
  return { id: account.id, version: account.version, account, credentials }
}

/**
 * The owner's own view of an account (spec, verify_credentials). Versions are asked each time, for all requests of a moment in one
 * statement; the rest comes from memory while the version stands. Undefined for an account that is gone.
 */
export const readCredentials = (given: { database: Database<StatusesTables>; views: Views; pool: CachePool }) => {
  const cache: VersionedCache<VersionedCredentials> = versionedCache(
    async (ids) => (await readCredentialsRows(given.database, [ids])).map(assembleCredentials),
    given.pool.cache('credentials'),
  )
  const read = batching<string, Credentials>(async (ids) => {
    const versions = new Map((await readAccountVersions(given.database, [ids])).map(([id, version]) => [id, version]))
    const found = await cache.gather(versions)
    const accounts = await given.views.withMoves([...found.values()].map(({ account }) => account))
    return new Map(accounts.map((account) => [account.id, { ...found.get(account.id)!.credentials, account }]))
  })
  return (accountId: string): Promise<Credentials | undefined> => read(accountId)
}
