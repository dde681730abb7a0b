import type { StatusPage } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { notAllowed, orNotFound } from '@rookery/failures'
import { hasBlocked } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { readHiddenTarget } from './interaction.store.ts'

type Deps = { views: Views; database: Database<StatusesTables> }
type Act = { statusId: string; viewerId: string }

/** The status an interaction applies to: for a boost the boosted status. */
export type Target = { id: string; authorId: string }
type VisibleTarget = Target & { page: StatusPage }

const targetIn = (page: StatusPage): VisibleTarget | undefined => {
  const [item] = page.items
  if (!item) return
  const id = item.reblogOfId || item.id
  const { accountId } = orNotFound(page.statuses.find((view) => view.id === id))
  return { id, authorId: accountId, page }
}

/**
 * Finds the target of an interaction.
 * @throws Failure not_found if the viewer cannot see it, forbidden if the viewer blocks its author (beyond-the-spec 1.11)
 */
export const visibleTarget = async (
  { views, database }: Deps,
  { statusId, viewerId }: Act,
  { refuseBlocked = false } = {},
): Promise<VisibleTarget> => {
  const page = await views.byIds(viewerId, [statusId], 'direct')
  const target = orNotFound(targetIn(page), `status ${statusId} is not shown to ${viewerId}`)
  if (refuseBlocked && (await hasBlocked(database, viewerId, target.authorId))) throw notAllowed(`${viewerId} blocks ${target.authorId}`)
  return target
}

/**
 * Finds the target to remove an interaction from, even if the viewer may no longer see it: the interaction is theirs to remove.
 * @throws Failure not_found if there is no such status
 */
export const markedTarget = async ({ views, database }: Deps, { statusId, viewerId }: Act): Promise<Target> => {
  const page = await views.byIds(viewerId, [statusId], 'direct')
  return targetIn(page) ?? orNotFound(await readHiddenTarget(database, { statusId, viewerId }), `there is no status ${statusId}`)
}
