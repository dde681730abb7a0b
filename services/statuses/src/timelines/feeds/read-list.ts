import type { StatusPage } from '@rookery/contracts/statuses'
import type { Database, Page } from '@rookery/database'
import { notFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { ReadPart, Views } from '../../views/index.ts'
import { readListSkeleton } from './list.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

/** Posts of members looked at for a page of so many, and at most at once. */
const looksAt = (limit: number) => limit * 2 + 20
const MAX_AT_ONCE = 5000

/**
 * A page of what a list shows (beyond-the-spec 1.12, Lists). Lists are not stored: the rule is asked each time, so that members, policies
 * and blocks count from the moment they change. Where little of what was looked at belongs, it looks further.
 * @throws Failure not_found when the list is another's or not there
 */
export const readList =
  ({ database, views, clock }: Deps) =>
  async (viewerId: string, listId: string, page: Page): Promise<StatusPage> => {
    const read: ReadPart = async (part) => {
      const found: string[] = []
      let rest = part
      for (let size = looksAt(part.limit); ; size = Math.min(size * 4, MAX_AT_ONCE)) {
        const wanted = { ownerId: viewerId, listId, size, now: new Date(clock.now()) }
        const { skeleton, looked } = await readListSkeleton(database, wanted, rest)
        if (!looked.isOwned) throw notFound(`list ${listId} is not ${viewerId}'s`)
        const isEnough = looked.isAll || found.length + skeleton.ids.length >= part.limit
        if (isEnough && found.length === 0) return skeleton
        found.push(...skeleton.ids)
        if (isEnough) return views.skeleton(viewerId, found.slice(0, part.limit))
        rest = part.minId ? { ...part, minId: looked.highest } : { ...part, maxId: looked.lowest }
      }
    }
    return views.page(viewerId, page, read)
  }
