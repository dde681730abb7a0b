import type { SentElsewhere } from '@rookery/contracts/events'
import type { DeletedStatus } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import { isDirect, notificationWithdrawn } from '../../audience/index.ts'
import type { AttachmentReleases } from '../../content/attachments/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { statusDeleted } from './status.events.ts'
import { type DoomedStatus, StatusWriter } from './status.store.ts'
import { visibilityName } from './visibility.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; views: Views; releases: AttachmentReleases; baseUrl: string }

/** Options of a deletion; with `baseUrl`, it is sent to other servers. */
type Manner = { deleteMedia?: boolean; baseUrl?: string | undefined }

/** The uris and recipients of a local status on other servers; undefined for a direct one without remote recipients. */
const sentElsewhere = (status: DoomedStatus, baseUrl: string): SentElsewhere | undefined => {
  if (!status.isLocal || (isDirect(status.visibility) && status.remoteIds.length === 0)) return undefined
  const uri = `${baseUrl}/users/${status.username}/statuses/${status.id}`
  return {
    remoteAccountIds: status.remoteIds,
    uri: status.reblogOfId ? `${uri}/activity` : uri,
    reblogOfUri:
      status.reblogOfUri ?? (status.reblogOfId ? `${baseUrl}/users/${status.reblogOfUsername}/statuses/${status.reblogOfId}` : ''),
  }
}

/** The event of a deleted status, for consumers that show it, store it or notified people of it. */
export const deletionEvent = (status: DoomedStatus, { deleteMedia = false, baseUrl }: Manner = {}) =>
  statusDeleted({
    statusId: status.id,
    authorId: status.authorId,
    reblogOfId: status.reblogOfId ?? '',
    visibility: visibilityName(status.visibility as 1 | 2 | 3 | 4),
    tags: status.tags,
    mediaIds: status.mediaIds,
    deleteMedia,
    mentionedAccountIds: status.mentioned,
    wasListed: status.isListed,
    hadMedia: status.hasMedia || status.pastMediaIds.length > 0,
    isRemote: !status.isLocal || undefined,
    threadId: isDirect(status.visibility) ? status.threadId : undefined,
    sent: baseUrl === undefined ? undefined : sentElsewhere(status, baseUrl),
  })

/** The event that withdraws the notification of a boost from the original's author. */
const boostWithdrawn = (status: DoomedStatus) =>
  status.reblogOfId && status.reblogOfAuthorId
    ? [
        notificationWithdrawn({
          recipientId: status.reblogOfAuthorId,
          reason: 'reblog',
          actorId: status.authorId,
          statusId: status.reblogOfId,
        }),
      ]
    : []

/** Statuses of an author to delete, and whether to delete their files at once. */
export type Deletion = { ids: readonly string[]; authorId: string; deleteMedia: boolean }

/**
 * Removes statuses of an author with their boosts, interactions and counts, and appends the events; with `baseUrl`, they are sent to other servers
 * too. Returns the removed statuses, the author's first; none if the author has none of them.
 */
export const removeStatuses = async (
  { outbox, baseUrl }: { outbox: Outbox; baseUrl?: string },
  tx: Tx<StatusesTables>,
  { ids, authorId, deleteMedia }: Deletion,
): Promise<DoomedStatus[]> => {
  const writer = new StatusWriter(tx)
  const found = await writer.doomed(ids, authorId)
  if (found.length === 0) return []
  await writer.remove(found)
  const asked = found.filter(({ id }) => ids.includes(id))
  const events = found.map((each) => deletionEvent(each, { deleteMedia, baseUrl }))
  await outbox.append(tx, [...events, ...asked.flatMap(boostWithdrawn)])
  return found
}

/**
 * Removes those of an author's statuses, files included, that `still` are to be removed once they are locked: after that, no one can interact with
 * them until they are gone.
 */
export const removeIfStill = (
  { database, outbox, baseUrl }: Pick<Deps, 'database' | 'outbox'> & { baseUrl?: string },
  { ids, authorId }: { ids: readonly string[]; authorId: string },
  still: (tx: Tx<StatusesTables>) => Promise<readonly string[]>,
): Promise<void> =>
  transact(database.db, async (tx) => {
    await new StatusWriter(tx).lock(ids, authorId)
    const removed = await still(tx)
    if (removed.length > 0) await removeStatuses({ outbox, ...(baseUrl && { baseUrl }) }, tx, { ids: removed, authorId, deleteMedia: true })
  })

/**
 * Deletes a status with its boosts, interactions and counts. Returns its last view and plain text for posting again (spec, DELETE
 * /api/v1/statuses/:id), and whether its parent is deleted. Its files can be attached again by then. @throws Failure not_found if it is not the
 * viewer's
 */
export const deleteStatus =
  ({ database, outbox, views, releases, baseUrl }: Deps) =>
  async (call: Call, request: { id: string; viewerId: string; deleteMedia: boolean }): Promise<DeletedStatus> => {
    const page = await views.byIds(request.viewerId, [request.id], 'own')
    const doomed = await transact(database.db, async (tx) => {
      const found = await removeStatuses({ outbox, baseUrl }, tx, {
        ids: [request.id],
        authorId: request.viewerId,
        deleteMedia: request.deleteMedia,
      })
      if (found.length === 0) throw notFound(`status ${request.id} is not ${request.viewerId}'s`)
      return found
    })
    const [status] = doomed
    if (status && !request.deleteMedia) {
      const mediaIds = [...new Set([...status.mediaIds, ...status.pastMediaIds])]
      await releases(call, { ownerId: request.viewerId, subjectId: request.id, mediaIds })
    }
    return { page, text: status?.text ?? '', isOrphan: status?.isOrphan ?? false }
  }
