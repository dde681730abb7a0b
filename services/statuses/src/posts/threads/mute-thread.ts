import type { StatusPage } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { addThreadMute, removeThreadMute } from './thread-mute.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views }
type Act = { viewerId: string; statusId: string }

/**
 * Stops notifications from the thread of a status the viewer may see; earlier notifications stay (beyond-the-spec 1.14, 2.3).
 * @throws Failure not_found
 */
export const muteThread =
  ({ database, views }: Deps) =>
  async ({ viewerId, statusId }: Act): Promise<StatusPage> => {
    orNotFound((await views.byIds(viewerId, [statusId], 'direct')).items[0])
    await addThreadMute(database, { viewerId, statusId })
    return views.byIds(viewerId, [statusId], 'direct')
  }

/** Unmutes a thread, if it is muted. @throws Failure not_found */
export const unmuteThread =
  ({ database, views }: Deps) =>
  async ({ viewerId, statusId }: Act): Promise<StatusPage> => {
    orNotFound((await views.byIds(viewerId, [statusId], 'direct')).items[0])
    await removeThreadMute(database, { viewerId, statusId })
    return views.byIds(viewerId, [statusId], 'direct')
  }
