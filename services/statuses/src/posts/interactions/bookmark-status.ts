import type { StatusPage } from '@rookery/contracts/statuses'
import { type Database, isForeignKeyViolation, transact } from '@rookery/database'
import { notFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { InteractionWriter } from './interaction.store.ts'
import { markedTarget, visibleTarget } from './visible-target.ts'

type Deps = { database: Database<StatusesTables>; views: Views }
type Act = { viewerId: string; statusId: string }

/** Bookmarks a status; no one is notified (beyond-the-spec 2.3). @throws Failure not_found */
export const bookmarkStatus =
  (deps: Deps) =>
  async ({ viewerId, statusId }: Act): Promise<StatusPage> => {
    const target = await visibleTarget(deps, { statusId, viewerId })
    await transact(deps.database.db, (tx) => new InteractionWriter(tx).add('bookmark', viewerId, target.id)).catch((error) => {
      if (isForeignKeyViolation(error)) throw notFound('the status was deleted meanwhile')
      throw error
    })
    return deps.views.byIds(viewerId, [target.id], 'direct')
  }

/** Removes a bookmark, if there is one. @throws Failure not_found */
export const unbookmarkStatus =
  (deps: Deps) =>
  async ({ viewerId, statusId }: Act): Promise<StatusPage> => {
    const target = await markedTarget(deps, { statusId, viewerId })
    await transact(deps.database.db, (tx) => new InteractionWriter(tx).remove('bookmark', viewerId, target.id))
    return deps.views.byIds(viewerId, [target.id], 'direct')
  }
