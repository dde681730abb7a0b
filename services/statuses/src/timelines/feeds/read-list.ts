import type { StatusPage } from '@rookery/contracts/statuses'
import { type Database, keyset, type Page } from '@rookery/database'
import { notFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { ReadPart, Skeleton, Views } from '../../views/index.ts'
import { gather } from './gather.ts'
import { readListSkeleton } from './list.store.ts'
import type { Look } from './look.rules.ts'
import { openNear } from './open.store.ts'
import { keepSpacing } from './spacing.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

/**
 * A page of a list (beyond-the-spec 1.12, Lists). Lists are not stored: the rule is evaluated each time, so that changes of members, policies and
 * blocks take effect at once. If few candidates belong, it scans further, up to a bound (`gather`).
 * @throws Failure not_found if the list is another's or does not exist
 */
export const readList = ({ database, views, clock }: Deps) => {
  const spacing = keepSpacing(clock)
  const readPart = async (list: { ownerId: string; listId: string }, page: Page): Promise<Skeleton> => {
    const { limit: count, ...bounds } = keyset(page)
    const { order } = bounds
    const now = new Date(clock.now())
    let first: Skeleton | undefined
    const seeIn = async (look: Look) => {
      const guessed = first ? look : spacing.guess(list.listId, order, look)
      const { isOwned, skeleton, seen } = await readListSkeleton(database, { ...list, order, now }, guessed)
      if (!isOwned) throw notFound(`list ${list.listId} is not ${list.ownerId}'s`)
      spacing.note(list.listId, order, guessed, seen)
      first ??= skeleton
      return { ...seen, entries: skeleton.ids.map((statusId) => ({ statusId })) }
    }
    const { entries, readTo } = await gather({ ...bounds, count }, seeIn, openNear(database.db))
    const ids = entries.map(({ statusId }) => statusId)
    const skeleton = first?.ids.length === ids.length ? first : await views.skeleton(list.ownerId, ids)
    return readTo === undefined ? skeleton : { ...skeleton, readTo }
  }

  return async (viewerId: string, listId: string, page: Page): Promise<StatusPage> => {
    const read: ReadPart = (part) => readPart({ ownerId: viewerId, listId }, part)
    return views.page(viewerId, page, read)
  }
}
