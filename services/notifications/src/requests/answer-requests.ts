import { type Database, transact } from '@rookery/database'
import { isId } from '@rookery/ids'
import { addJob } from '@rookery/jobs'
import type { NotificationsTables } from '../database/schema.ts'
import { lockPermissions, permit, removeRequests } from '../policy/index.ts'
import { MERGE_NOTIFICATIONS, type MergeDue } from './merge-notifications.job.ts'

type Deps = { database: Database<NotificationsTables> }

/**
 * Accepts those of these requests that are the viewer's: their accounts are permitted from now on, and a job shows their filtered
 * notifications. Returns how many there were.
 */
export const acceptRequests =
  ({ database }: Deps) =>
  (viewerId: string, ids: readonly string[]): Promise<number> =>
    transact(database.db, async (tx) => {
      await lockPermissions(tx, viewerId)
      const actorIds = await removeRequests(tx, viewerId, ids.filter(isId))
      if (actorIds.length === 0) return 0
      await permit(tx, viewerId, actorIds)
      const due: MergeDue = { recipientId: viewerId }
      await addJob(tx, 'notifications', MERGE_NOTIFICATIONS, due, { key: `merge/${viewerId}` })
      return actorIds.length
    })

/** Deletes those of these requests that are the viewer's; their notifications stay hidden. Returns how many there were. */
export const dismissRequests =
  ({ database }: Deps) =>
  (viewerId: string, ids: readonly string[]): Promise<number> =>
    transact(database.db, async (tx) => (await removeRequests(tx, viewerId, ids.filter(isId))).length)
