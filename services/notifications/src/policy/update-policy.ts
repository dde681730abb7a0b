import type { UpdatePolicyRequest } from '@rookery/contracts/notifications'
import { type Database, transact } from '@rookery/database'
import type { NotificationsTables } from '../database/schema.ts'
import { refuseUnknownChoices } from './policy.rules.ts'
import { writePolicy } from './policy.store.ts'

/**
 * Changes the viewer's policy for future notifications; omitted fields stay.
 * @throws Failure invalid for a field that is neither accept, filter nor drop
 */
export const updatePolicy =
  ({ database }: { database: Database<NotificationsTables> }) =>
  async ({ viewerId, ...changes }: UpdatePolicyRequest): Promise<void> => {
    refuseUnknownChoices(changes)
    await transact(database.db, (tx) => writePolicy(tx, viewerId, changes))
  }
