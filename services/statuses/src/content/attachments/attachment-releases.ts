import type { AttachmentsDefinition } from '@rookery/contracts/media'
import type { Call, Client } from '@rookery/rpc'

/** Releases the files of a status, scheduled or not, after its deletion was committed. Never fails. */
export type AttachmentReleases = (call: Call, release: { ownerId: string; subjectId: string; mediaIds: readonly string[] }) => Promise<void>

/** Maximum time that a deletion waits for the release, in milliseconds. */
const MAX_WAIT = 1000

/** Releases files at the media service; no call if there are none. If it fails, the event of the deletion releases them. */
export const attachmentReleases = (attachments: Client<AttachmentsDefinition>): AttachmentReleases => {
  return async (call, release) => {
    if (release.mediaIds.length === 0) return
    const deadline = Math.min(call.deadline, Date.now() + MAX_WAIT)
    await attachments.release({ ...call, deadline }, release).catch(() => {})
  }
}
