import type { StatusPage } from '@rookery/contracts/statuses'
import { type Database, MAX_ID, type Page, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { ReadPart, Skeleton, Views } from '../../views/index.ts'
import { requestBuild } from './build-home.job.ts'
import { dayOf } from './feed.rules.ts'
import { type Home, isFirstToday, isUnbuilt } from './home.rules.ts'
import { noteReading, readHomeSkeleton } from './home.store.ts'
import { readOlderDown, readOlderUp } from './read-older.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

const lower = (one: string, other: string) => (BigInt(one) < BigInt(other) ? one : other)

/** The ids of a page whose stored part is known, older ones found where the page goes below the floor; undefined when it does not. */
const withOlder = async ({ database, clock }: Deps, accountId: string, stored: Skeleton, floorId: string, page: Page) => {
  const wanted = { accountId, below: lower(page.maxId ?? MAX_ID, floorId), now: new Date(clock.now()) }
  if (page.minId) {
    if (BigInt(page.minId) >= BigInt(floorId) - 1n || page.limit === 0) return undefined
    const older = await readOlderUp(database.db, { ...wanted, above: page.minId, count: page.limit })
    return [...older, ...stored.ids].slice(0, page.limit)
  }
  const count = page.limit - stored.ids.length
  if (count <= 0 || BigInt(page.sinceId ?? '0') >= BigInt(floorId)) return undefined
  const older = await readOlderDown(database.db, { ...wanted, above: page.sinceId ?? '0', count })
  return [...stored.ids, ...older]
}

/**
 * A page of someone's home, newest first: what is stored in one statement, and below that by the rule itself, so that a home never ends
 * before what its owner follows does. A home that is yet to be built is said to be (206), with what is there so far.
 */
export const readHome =
  (deps: Deps) =>
  async (viewerId: string, page: Page): Promise<StatusPage> => {
    const { database, views, clock } = deps
    let home: Home = { followsSomeone: false, row: undefined }
    const read: ReadPart = async (part) => {
      const stored = await readHomeSkeleton(database, viewerId, part)
      home = stored.home
      const floorId = home.row?.floorId ?? '0'
      if (floorId === '0' || isUnbuilt(home, clock.now())) return stored.skeleton
      const ids = await withOlder(deps, viewerId, stored.skeleton, floorId, part)
      return ids ? views.skeleton(viewerId, ids) : stored.skeleton
    }
    const shown = await views.page(viewerId, page, read)
    const isRebuilding = isUnbuilt(home, clock.now())
    if (isRebuilding) await transact(database.db, (tx) => requestBuild(tx, viewerId))
    else if (isFirstToday(home, clock.now())) await noteReading(database, { accountId: viewerId, day: dayOf(new Date(clock.now())) })
    return { ...shown, isRebuilding }
  }
