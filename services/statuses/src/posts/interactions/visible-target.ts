import type { StatusPage } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { notAllowed, orNotFound } from '@rookery/failures'
import { hasBlocked } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'

/** The status an act applies to: what a boost boosts, else the status itself. */
export type Target = { id: string; authorId: string; page: StatusPage }

/**
 * Finds the target of an act.
 * @throws Failure not_found when the viewer cannot see it, forbidden when the viewer blocks its author (beyond-the-spec 1.11)
 */
export const visibleTarget = async (
  { views, database }: { views: Views; database: Database<StatusesTables> },
  { statusId, viewerId }: { statusId: string; viewerId: string },
  { refuseBlocked = false } = {},
): Promise<Target> => {
  const page = await views.byIds(viewerId, [statusId], 'direct')
  const item = orNotFound(page.items[0], `status ${statusId} is not shown to ${viewerId}`)
  const id = item.reblogOfId || item.id
  const { accountId } = orNotFound(page.statuses.find((view) => view.id === id))
  if (refuseBlocked && (await hasBlocked(database, viewerId, accountId))) throw notAllowed(`${viewerId} blocks ${accountId}`)
  return { id, authorId: accountId, page }
}
