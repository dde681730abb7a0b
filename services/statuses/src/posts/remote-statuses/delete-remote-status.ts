import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { StatusesTables } from '../../database/schema.ts'
import { removeStatuses } from '../statuses/index.ts'
import { readByUri } from './remote-status.store.ts'

/** Deletes a remote status or boost by its uri, with its boosts here. Ignores an unknown uri and one of another author. */
export const deleteRemoteStatus =
  ({ database, outbox, baseUrl }: { database: Database<StatusesTables>; outbox: Outbox; baseUrl: string }) =>
  async ({ uri, authorId }: { uri: string; authorId: string }): Promise<void> => {
    const [known] = await readByUri(database, { uris: [uri] })
    if (known?.authorId !== authorId) return
    await transact(database.db, (tx) => removeStatuses({ outbox, baseUrl }, tx, { ids: [known.id], authorId, deleteMedia: false }))
  }
