import { latest } from '@rookery/cache'
import type { StatusPage } from '@rookery/contracts/statuses'
import { type Database, MAX_ID, type Page, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { ReadPart, Views } from '../../views/index.ts'
import { requestBuild } from './build-home.job.ts'
import { dayOf } from './feed.rules.ts'
import { type Home, isFirstToday, isUnbuilt } from './home.rules.ts'
import { noteReading, readHomeSkeleton } from './home.store.ts'
import { type OlderEntries, olderEntries } from './older-entries.ts'
import { readWithPulled } from './pulled.store.ts'
import { type FindEntries, readDown, readUp } from './read-older.ts'
import { keepSpacing } from './spacing.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

const lower = (one: string, other: string) => (BigInt(one) < BigInt(other) ? one : other)
const higher = (one: string, other: string) => (BigInt(one) > BigInt(other) ? one : other)

/** What is stored of a page, in its order, and of the home. */
type StoredHome = Awaited<ReturnType<typeof readHomeSkeleton>> & { known: readonly string[] }
type Viewed = { accountId: string; floorId: string; now: Date }

/** The ids of a page, in its order, of what is stored and what is pulled. */
const withPulled = ({ database }: Deps, { now, ...home }: Viewed, page: Page): Promise<string[]> => {
  const find: FindEntries = (wanted) => readWithPulled(database, home, { ...wanted, now })
  const part = { below: page.maxId ?? MAX_ID, count: page.limit }
  if (!page.minId) return readDown(find, { ...part, above: page.sinceId ?? '0' })
  return readUp(find, { ...part, above: higher(page.minId, String(BigInt(home.floorId) - 1n)) })
}

/** The ids of a page whose part above the floor is known, older ones found where the page goes below the floor; undefined when it does not. */
const withOlder = async (find: FindEntries, floorId: string, known: readonly string[], page: Page) => {
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

/** A page of a home with what is pulled and what is older than what is stored; undefined where what is stored is all of it. */
const completed = async (
  deps: Deps,
  viewed: Viewed,
  { known, pulls }: StoredHome,
  { page, older }: { page: Page; older: OlderEntries },
) => {
  const { floorId } = viewed
  const pulled = pulls && page.limit > 0 ? await withPulled(deps, viewed, page) : undefined
  const ids = (floorId === '0' ? undefined : await withOlder(older.find, floorId, pulled ?? known, page)) ?? pulled
  return ids && older.skeleton(ids)
}

/** Where homes end that were read last, by their owners: only a guess, which the page itself confirms. */
const MAX_FLOORS = 10_000

/**
 * A page that lies below the floor of a home as it was when it was read last, as people who scroll down ask for one after the other: what is
 * stored need not be asked for. Undefined where it does not, or where that is no longer so.
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
 * A page of someone's home, newest first: what is stored in one statement, what is pulled in two more and read in a third, and below the
 * floor by the rule itself in one, so that a home never ends before what its owner follows does. A home that is yet to be built is said to be
 * (206), with what is there so far.
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
    const shown = await views.page(viewerId, page, read)
    const isRebuilding = isUnbuilt(home, clock.now())
    if (isRebuilding) await transact(database.db, (tx) => requestBuild(tx, viewerId))
    else if (isFirstToday(home, clock.now())) await noteReading(database, { accountId: viewerId, day: dayOf(new Date(clock.now())) })
    return { ...shown, isRebuilding }
  }
}
