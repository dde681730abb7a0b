import type { SiftViewersRequest, ViewerList } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { readListeners } from './viewers.store.ts'
import type { Views } from './views.ts'

/**
 * The listeners to whom a public status may be shown, none once staff limited its author, and their matching filters (beyond-the-spec 1.7). One statement
 * if none of them has filters, two with a warm cache.
 */
export const siftViewers =
  ({ database, clock, views }: { database: Database<StatusesTables>; clock: Clock; views: Views }) =>
  async ({ authorId, viewerIds, statusId }: SiftViewersRequest): Promise<ViewerList> => {
    const [row] = await readListeners(database, { viewerIds, authorId, now: new Date(clock.now()) })
    if (!row!.isOpen) return { viewerIds: [], filtered: [] }
    const unwilling = new Set(row!.unwilling)
    const viewers = new Map(row!.filtering)
    const head = viewers.size > 0 ? (await views.skeleton('', [statusId])).heads.get(statusId) : undefined
    const filtered = head ? await views.filteredFor(viewers, { ids: [statusId], text: head }) : []
    return {
      viewerIds: viewerIds.filter((id) => !unwilling.has(id)),
      filtered: Array.from(filtered, ([viewerId, each]) => ({ viewerId, filtered: each })),
    }
  }
