import type { AttachmentsDefinition } from '@rookery/contracts/media'
import type { Attachment, AttachmentChange } from '@rookery/contracts/statuses'
import type { Call, Client } from '@rookery/rpc'
import type { StoredAttachment } from '../../database/tables/status.ts'

/** Files to claim, the types of those that the subject shows beside them, and has already, and changes of any of them. */
type Claim = {
  ownerId: string
  ids: readonly string[]
  subjectId: string
  typesBeside?: readonly string[]
  changes?: readonly AttachmentChange[]
}

/**
 * Claims files for the status or profile that will show them, and changes files of it, all or none; returns the claimed and the changed ones,
 * each in order. @throws Failure invalid in the contract's words
 */
export type AttachmentClaims = (call: Call, claim: Claim) => Promise<Attachment[]>

/** Claims and changes files at the media service; no call if there are none. */
export const attachmentClaims = (attachments: Client<typeof AttachmentsDefinition>): AttachmentClaims => {
  return async (call, { typesBeside = [], changes = [], ...claim }) => {
    if (claim.ids.length + changes.length === 0) return []
    const { changed, attachments: claimed } = await attachments.claim(call, { ...claim, typesBeside, changes })
    // Media of the version before this one ignores changes.
    for (const change of changes.slice(changed.length)) {
      const { attachment } = await attachments.update(call, { ...change, ownerId: claim.ownerId })
      if (attachment) changed.push(attachment)
    }
    return [...claimed, ...changed]
  }
}

/** The display copy stored with a status. */
export const storedAttachment = (attachment: Attachment): StoredAttachment => ({
  id: attachment.id,
  type: attachment.type,
  url: attachment.url,
  preview_url: attachment.previewUrl,
  description: attachment.description,
  blurhash: attachment.blurhash,
  ...(attachment.focus ? { focus: attachment.focus } : {}),
  ...(attachment.original ? { original: attachment.original } : {}),
  ...(attachment.small ? { small: attachment.small } : {}),
  ...(attachment.bytes ? { bytes: attachment.bytes } : {}),
  ...(attachment.motion ? { motion: attachment.motion } : {}),
})
