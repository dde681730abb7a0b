import type { StatusPage } from '@rookery/contracts/statuses'
import type { Database, Page } from '@rookery/database'
import { notFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { ReadPart, Views } from '../../views/index.ts'
import { type Looked, readListSkeleton } from './list.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

/** Posts of members looked at for a page of so many, and at most at once. */
const looksAt = (limit: number) => limit * 2 + 20
const MAX_AT_ONCE = 5000

/** Where the next look begins: past what this one saw. */
const beyond = (part: Page, { highest, lowest }: Looked) => (part.minId ? { ...part, minId: highest } : { ...part, maxId: lowest })

/**
 * A page of what a list shows (beyond-the-spec 1.12, Lists). Lists are not stored: the rule is asked each time, so that members, policies
 * and blocks count from the moment they change. Where little of what was looked at belongs, it looks further.
 * @throws Failure not_found when the list is another's or not there
 */
export const readList = ({ database, views, clock }: Deps) => {
  const look = async (ownerId: string, listId: string, part: Page, size: number) => {
    const seen = await readListSkeleton(database, { ownerId, listId, size, now: new Date(clock.now()) }, part)
    if (!seen.looked.isOwned) throw notFound(`list ${listId} is not ${ownerId}'s`)
    return seen
  }

  return async (viewerId: string, listId: string, page: Page): Promise<StatusPage> => {
    const read: ReadPart = async (part) => {
      let [size, rest] = [looksAt(part.limit), part]
      let seen = await look(viewerId, listId, rest, size)
      const found = [...seen.skeleton.ids]
      const isEnough = () => seen.looked.isAll || found.length >= part.limit
      if (isEnough()) return seen.skeleton
      while (!isEnough()) {
        size = Math.min(size * 4, MAX_AT_ONCE)
        rest = beyond(rest, seen.looked)
        seen = await look(viewerId, listId, rest, size)
        found.push(...seen.skeleton.ids)
      }
      return views.skeleton(viewerId, found.slice(0, part.limit))
    }
    return views.page(viewerId, page, read)
  }
}
