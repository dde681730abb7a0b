import type { StatusPage } from '@rookery/contracts/statuses'
import { type Database, MAX_ID, type Page, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { ReadPart, Views } from '../../views/index.ts'
import { readBelonging } from './belonging.store.ts'
import { requestBuild } from './build-home.job.ts'
import { dayOf } from './feed.rules.ts'
import { type Home, isFirstToday, isUnbuilt } from './home.rules.ts'
import { noteReading, readHomeSkeleton } from './home.store.ts'
import { readWithPulled } from './pulled.store.ts'
import { type FindEntries, readDown, readUp } from './read-older.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

const lower = (one: string, other: string) => (BigInt(one) < BigInt(other) ? one : other)
const higher = (one: string, other: string) => (BigInt(one) > BigInt(other) ? one : other)

type StoredHome = Awaited<ReturnType<typeof readHomeSkeleton>>
type Viewed = { accountId: string; floorId: string; now: Date }

/** The ids of a page, in its order, of what is stored and what is pulled. */
const withPulled = ({ database }: Deps, { now, ...home }: Viewed, page: Page): Promise<string[]> => {
  const find: FindEntries = (wanted) => readWithPulled(database, home, { ...wanted, now })
  const part = { below: page.maxId ?? MAX_ID, count: page.limit }
  if (!page.minId) return readDown(find, { ...part, above: page.sinceId ?? '0' })
  return readUp(find, { ...part, above: higher(page.minId, String(BigInt(home.floorId) - 1n)) })
}

/** The ids of a page whose part above the floor is known, older ones found where the page goes below the floor; undefined when it does not. */
const withOlder = async ({ database }: Deps, { accountId, floorId, now }: Viewed, known: readonly string[], page: Page) => {
  const find: FindEntries = (wanted) => readBelonging(database.db, accountId, { ...wanted, now }, 'either')
  const below = lower(page.maxId ?? MAX_ID, floorId)
  if (page.minId) {
    if (BigInt(page.minId) >= BigInt(floorId) - 1n || page.limit === 0) return undefined
    const older = await readUp(find, { below, above: page.minId, count: page.limit })
    return [...older, ...known].slice(0, page.limit)
  }
  const count = page.limit - known.length
  if (count <= 0 || BigInt(page.sinceId ?? '0') >= BigInt(floorId)) return undefined
  const older = await readDown(find, { below, above: page.sinceId ?? '0', count })
  return [...known, ...older]
}

/** The ids of a page of a home with what is pulled and what is older than what is stored; undefined where what is stored is all of it. */
const completed = async (deps: Deps, viewerId: string, { skeleton, home, pulls }: StoredHome, page: Page) => {
  const floorId = home.row?.floorId ?? '0'
  const viewed = { accountId: viewerId, floorId, now: new Date(deps.clock.now()) }
  const pulled = pulls && page.limit > 0 ? await withPulled(deps, viewed, page) : undefined
  const older = floorId === '0' ? undefined : await withOlder(deps, viewed, pulled ?? skeleton.ids, page)
  return older ?? pulled
}

/**
 * A page of someone's home, newest first: what is stored in one statement, what is pulled in two more and read in a third, and below the
 * floor by the rule itself, so that a home never ends before what its owner follows does. A home that is yet to be built is said to be
 * (206), with what is there so far.
 */
export const readHome =
  (deps: Deps) =>
  async (viewerId: string, page: Page): Promise<StatusPage> => {
    const { database, views, clock } = deps
    let home: Home = { followsSomeone: false, row: undefined }
    const read: ReadPart = async (part) => {
      const stored = await readHomeSkeleton(database, viewerId, part)
      home = stored.home
      const ids = isUnbuilt(home, clock.now()) ? undefined : await completed(deps, viewerId, stored, part)
      return ids ? views.skeleton(viewerId, ids) : stored.skeleton
    }
    const shown = await views.page(viewerId, page, read)
    const isRebuilding = isUnbuilt(home, clock.now())
    if (isRebuilding) await transact(database.db, (tx) => requestBuild(tx, viewerId))
    else if (isFirstToday(home, clock.now())) await noteReading(database, { accountId: viewerId, day: dayOf(new Date(clock.now())) })
    return { ...shown, isRebuilding }
  }
