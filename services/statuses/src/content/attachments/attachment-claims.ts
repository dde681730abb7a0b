import type { AttachmentsDefinition } from '@rookery/contracts/media'
import type { Attachment } from '@rookery/contracts/statuses'
import type { Call, Client } from '@rookery/rpc'
import type { StoredAttachment } from '../../database/tables/status.ts'

/** Ties files to what will show them, in order. @throws Failure invalid in the contract's words */
export type AttachmentClaims = (call: Call, claim: { ownerId: string; ids: readonly string[]; subjectId: string }) => Promise<Attachment[]>

/** Claims through the service that owns the files; no call when there are none. */
export const attachmentClaims = (attachments: Client<typeof AttachmentsDefinition>): AttachmentClaims => {
  return async (call, claim) => (claim.ids.length === 0 ? [] : (await attachments.claim(call, claim)).attachments)
}

/** The display copy kept beside the status. */
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
