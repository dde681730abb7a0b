import { staleWhileRevalidate } from '@rookery/batching'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { type AccountPage, DirectoryOrder, type ReadDirectoryRequest } from '@rookery/contracts/statuses'
import { arrayLiteral, type Database, rowsWithin } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { DIRECTORY, LATEST_AUTHORS } from './directory.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

const SECOND = 1000
/** Cache of the latest authors: one list per scope. */
const KEPT = { max: 2, freshFor: 5 * SECOND, ttl: 60 * SECOND }
/** Extra accounts beyond a page: the viewer may block or mute some. */
const SPARE = 20

/**
 * The profile directory, ordered by last post or by age (beyond-the-spec 1.16). One statement with a warm cache, three with a cold one. On a busy
 * server the order by last post is some seconds old.
 */
export const readDirectory = ({ database, views, clock }: Deps) => {
  const cached = staleWhileRevalidate<readonly string[]>({ ...KEPT, now: () => clock.now() })

  const readLatest = async (scope: 'all' | 'local', wanted: { viewerId: string; now: Date; limit: number; offset: number }) => {
    const read = async () => {
      const ids = (await LATEST_AUTHORS[scope](database, {})).map(({ id }) => id)
      return ids.length > 0 ? ids : undefined
    }
    const latest = cached.get(scope, read)
    if (latest) {
      const rows = await LATEST_AUTHORS.read(database, {
        ...wanted,
        latest: arrayLiteral(latest.slice(0, wanted.offset + wanted.limit + SPARE)),
      })
      if (rows.length === wanted.limit) return rows
    }
    const rows = await DIRECTORY.active[scope](database, wanted)
    if (!latest && rows[0]?.isMany) {
      const ids = await read()
      if (ids) cached.set(scope, ids)
    }
    return rows
  }

  return async ({ viewerId, order, limit, offset, isLocal }: ReadDirectoryRequest): Promise<AccountPage> => {
    const wanted = { viewerId: viewerId || '0', now: new Date(clock.now()), limit: rowsWithin(PAGE_SIZES.people, limit), offset }
    const scope = isLocal ? 'local' : 'all'
    const rows = await (order === DirectoryOrder.NEW ? DIRECTORY.newest[scope](database, wanted) : readLatest(scope, wanted))
    return { accounts: await views.accountsAt(rows), cursors: undefined }
  }
}
