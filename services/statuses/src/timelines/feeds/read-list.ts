import type { StatusPage } from '@rookery/contracts/statuses'
import { type Database, keyset, type Page } from '@rookery/database'
import { notFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { ReadPart, Views } from '../../views/index.ts'
import { readListSkeleton } from './list.store.ts'
import { firstLook, type Look, nextLook } from './look.rules.ts'
import { keepSpacing } from './spacing.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

/**
 * A page of what a list shows (beyond-the-spec 1.12, Lists). Lists are not stored: the rule is asked each time, so that members, policies
 * and blocks count from the moment they change. Where little of what was looked through belongs, it looks further.
 * @throws Failure not_found when the list is another's or not there
 */
export const readList = ({ database, views, clock }: Deps) => {
  const spacing = keepSpacing(clock)
  const readPart = async (list: { ownerId: string; listId: string }, page: Page) => {
    const { limit: count, order, ...bounds } = keyset(page)
    const seeIn = async (look: Look) => {
      const part = await readListSkeleton(database, { ...list, order, now: new Date(clock.now()) }, look)
      if (!part.isOwned) throw notFound(`list ${list.listId} is not ${list.ownerId}'s`)
      return part
    }
    const found: string[] = []
    for (let look = spacing.guess(list.listId, order, firstLook({ ...bounds, count, order })); ; ) {
      const { skeleton, seen } = await seeIn(look)
      spacing.note(list.listId, order, look, seen)
      found.push(...skeleton.ids)
      const isAll = found.length === skeleton.ids.length
      const next = found.length < count ? nextLook(order, look, seen, count - found.length) : undefined
      if (!next) return isAll ? skeleton : views.skeleton(list.ownerId, found)
      look = next
    }
  }

  return async (viewerId: string, listId: string, page: Page): Promise<StatusPage> => {
    const read: ReadPart = (part) => readPart({ ownerId: viewerId, listId }, part)
    return views.page(viewerId, page, read)
  }
}
