import type { AttachmentsDefinition } from '@rookery/contracts/media'
import type { Call, Client } from '@rookery/rpc'

/** Frees the files of a status, scheduled or not, whose deletion was committed. Never fails. */
export type AttachmentReleases = (call: Call, release: { ownerId: string; subjectId: string; mediaIds: readonly string[] }) => Promise<void>

/** How long a deletion waits for its files to be free, in milliseconds. */
const MAX_WAIT = 1000

/** Releases through the service that owns the files; no call when there are none. Where that fails, the event of the deletion does it. */
export const attachmentReleases = (attachments: Client<AttachmentsDefinition>): AttachmentReleases => {
  return async (call, release) => {
    if (release.mediaIds.length === 0) return
    const deadline = Math.min(call.deadline, Date.now() + MAX_WAIT)
    await attachments.release({ ...call, deadline }, release).catch(() => {})
  }
}
