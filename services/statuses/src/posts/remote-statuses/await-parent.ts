import { type Database, transact } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { awaitParent } from './awaited-parent.store.ts'
import { REMOTE_LIMITS } from './remote-status.rules.ts'
import type { RemotePreparation } from './remote-status.store.ts'

/** The job that gives replies the status that they answer, once it is here. */
export const LINK_REPLIES = 'link-replies'

/** Longer than storing a status takes: one that was being stored when a reply began to wait for it, or joined a thread, is here then. */
export const STORED_WITHIN_MILLISECONDS = 60_000

type Deps = { database: Database<StatusesTables>; clock: Clock; baseUrl: string }
/** A stored status and the data read before. */
type Stored = { id: string; uri: string; inReplyToUri: string; prepared: RemotePreparation }

const isAwaitable = (uri: string, baseUrl: string): boolean =>
  uri !== '' && Buffer.byteLength(uri) <= REMOTE_LIMITS.address && !uri.startsWith(`${baseUrl}/`)

/**
 * Has a reply that was stored without the status that it answers wait for it, and gives a stored status to the replies that wait for it. Nothing waits
 * for a status of this server: it was deleted, or the author of the reply may not see it.
 */
export const linkReplies =
  ({ database, clock, baseUrl }: Deps) =>
  async ({ id, uri, inReplyToUri, prepared }: Stored): Promise<void> => {
    const { stored, parent, isAwaited } = prepared
    const hasParent = stored ? stored.hasParent : parent !== null
    const waits = !hasParent && isAwaitable(inReplyToUri, baseUrl)
    if (!isAwaited && !waits) return
    const now = clock.now()
    const runAt = new Date(parent ? now : now + STORED_WITHIN_MILLISECONDS)
    await transact(database.db, async (tx) => {
      if (isAwaited) await addJob(tx, 'statuses', LINK_REPLIES, { uri })
      if (waits) await awaitParent(tx, { id, uri: inReplyToUri, now: new Date(now) })
      if (waits) await addJob(tx, 'statuses', LINK_REPLIES, { uri: inReplyToUri }, { runAt })
    })
  }
