import { type Database, transact } from '@rookery/database'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { NotificationsTables } from '../database/schema.ts'
import { InboxWriter } from './inbox.store.ts'

/**
 * Takes one notification out of the viewer's inbox.
 * @throws Failure not_found for a missing one and another's
 */
export const dismissNotification =
  ({ database }: { database: Database<NotificationsTables> }) =>
  async (viewerId: string, id: string): Promise<void> => {
    const wasThere = isId(id) && (await transact(database.db, (tx) => new InboxWriter(tx).remove(viewerId, id)))
    if (!wasThere) throw notFound(`notification ${id} is not in the inbox of ${viewerId}`)
  }
