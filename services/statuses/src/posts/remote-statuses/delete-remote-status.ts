import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { StatusesTables } from '../../database/schema.ts'
import { removeStatuses } from '../statuses/index.ts'
import { readByUri } from './remote-status.store.ts'

/** Deletes a status or boost of this author by its uri, as everyone's is; nothing when there is none, or it is another's. */
export const deleteRemoteStatus =
  ({ database, outbox }: { database: Database<StatusesTables>; outbox: Outbox }) =>
  async ({ uri, authorId }: { uri: string; authorId: string }): Promise<void> => {
    const [known] = await readByUri(database, { uris: [uri] })
    if (known?.authorId !== authorId) return
    await transact(database.db, (tx) => removeStatuses({ outbox }, tx, { ids: [known.id], authorId, deleteMedia: false }))
  }
