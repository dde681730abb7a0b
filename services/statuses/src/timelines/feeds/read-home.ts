import { latest } from '@rookery/cache'
import type { StatusPage } from '@rookery/contracts/statuses'
import { type Database, MAX_ID, type Page, transact } from '@rookery/database'
import { type Clock, dayOf } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { ReadPart, Views } from '../../views/index.ts'
import { requestBuild } from './build-home.job.ts'
import { type Home, isFirstToday, isUnbuilt } from './home.rules.ts'
import { noteReading, readHomeSkeleton } from './home.store.ts'
import { type OlderEntries, olderEntries } from './older-entries.ts'
import { readWithPulled } from './pulled.store.ts'
import { type FindEntries, type ReadIds, readDown, readUp } from './read-older.ts'
import { keepSpacing } from './spacing.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

const lower = (one: string, other: string) => (BigInt(one) < BigInt(other) ? one : other)
const higher = (one: string, other: string) => (BigInt(one) > BigInt(other) ? one : other)

/** The stored entries of a page, in order, and the state of the home. */
type StoredHome = Awaited<ReturnType<typeof readHomeSkeleton>> & { known: readonly string[] }
type Viewed = { accountId: string; floorId: string; now: Date }

/** The ids of a page, in order, from stored and pulled entries. */
const withPulled = ({ database }: Deps, { now, ...home }: Viewed, page: Page): Promise<ReadIds> => {
  const find: FindEntries = (wanted) => readWithPulled(database, home, { ...wanted, now })
  const part = { below: page.maxId ?? MAX_ID, count: page.limit }
  if (!page.minId) return readDown(find, { ...part, above: page.sinceId ?? '0' })
  return readUp(find, { ...part, above: higher(page.minId, String(BigInt(home.floorId) - 1n)) })
}

/** The ids of a page whose part above the floor is known, with older ones if the page extends below the floor; undefined if it does not. */
const withOlder = async (find: FindEntries, floorId: string, known: readonly string[], page: Page): Promise<ReadIds | undefined> => {
  const below = lower(page.maxId ?? MAX_ID, floorId)
  if (page.minId) {
    if (BigInt(page.minId) >= BigInt(floorId) - 1n || page.limit === 0) return undefined
    const older = await readUp(find, { below, above: page.minId, count: page.limit })
    // The known entries are beyond older ones that were not examined.
    return older.readTo === undefined ? { ids: [...older.ids, ...known].slice(0, page.limit) } : older
  }
  const count = page.limit - known.length
  if (count <= 0 || BigInt(page.sinceId ?? '0') >= BigInt(floorId)) return undefined
  const older = await readDown(find, { below, above: page.sinceId ?? '0', count })
  return { ...older, ids: [...known, ...older.ids] }
}

/** A page of a home with pulled entries and those below the floor; undefined if the stored entries are all of it. */
const completed = async (
  deps: Deps,
  viewed: Viewed,
  { known, pulls }: StoredHome,
  { page, older }: { page: Page; older: OlderEntries },
) => {
  const { floorId } = viewed
  const pulled = pulls && page.limit > 0 ? await withPulled(deps, viewed, page) : undefined
  const read = (floorId === '0' ? undefined : await withOlder(older.find, floorId, pulled?.ids ?? known, page)) ?? pulled
  return read && older.skeleton(read)
}

/** Maximum cached floors of homes, by owner: only a guess, which the page itself verifies. */
const MAX_FLOORS = 10_000

/**
 * A page below the last known floor of a home, as readers who scroll down request: then the stored entries need not be read. Undefined if the page is
 * not below it, or the floor has changed.
 */
const readBelow = async (
  older: OlderEntries,
  { floorId, now }: { floorId: string | undefined; now: number },
  page: Page,
): Promise<StoredHome | undefined> => {
  const { maxId, minId, sinceId = '0', limit } = page
  if (!floorId || !maxId || minId || limit === 0) return undefined
  const isBelow = (floor: string) => BigInt(sinceId) < BigInt(maxId) && BigInt(maxId) <= BigInt(floor)
  if (!isBelow(floorId)) return undefined
  const { skeleton, home, pulls } = await older.peek({ below: maxId, above: sinceId, count: limit, order: 'desc' })
  const isStillSo = !pulls && isBelow(home.row?.floorId ?? '0') && !isUnbuilt(home, now)
  return isStillSo ? { skeleton, home, pulls, known: [] } : undefined
}

/**
 * A page of a home, newest first: stored entries in one statement, pulled ones in two more and a third for the page, and entries below the floor by
 * the rule in one, so that a home never ends before the statuses of its sources do. A home that is not built yet is marked as rebuilding (206), with
 * the entries so far.
 */
export const readHome = (deps: Deps) => {
  const { database, views, clock } = deps
  const floors = latest<string>(MAX_FLOORS)
  const spacing = keepSpacing(clock)
  const readStored = async (viewerId: string, page: Page): Promise<StoredHome> => {
    const stored = await readHomeSkeleton(database, viewerId, page)
    return { ...stored, known: stored.skeleton.ids }
  }
  return async (viewerId: string, page: Page): Promise<StatusPage> => {
    let home: Home = { followsSomeone: false, row: undefined }
    const read: ReadPart = async (part) => {
      const now = new Date(clock.now())
      const older = olderEntries({ ...deps, spacing }, { accountId: viewerId, now })
      const stored =
        (await readBelow(older, { floorId: floors.get(viewerId), now: clock.now() }, part)) ?? (await readStored(viewerId, part))
      home = stored.home
      if (isUnbuilt(home, clock.now())) return stored.skeleton
      const floorId = home.row?.floorId ?? '0'
      if (floorId !== '0') floors.set(viewerId, floorId)
      return (await completed(deps, { accountId: viewerId, floorId, now }, stored, { page: part, older })) ?? stored.skeleton
    }
    const shown = await views.page(viewerId, page, read, 'home')
    const isRebuilding = isUnbuilt(home, clock.now())
    if (isRebuilding) await transact(database.db, (tx) => requestBuild(tx, viewerId))
    else if (isFirstToday(home, clock.now())) await noteReading(database, { accountId: viewerId, day: dayOf(clock.now()) })
    return { ...shown, isRebuilding }
  }
}
