import type { AttachmentsDefinition } from '@rookery/contracts/media'
import type { Attachment } from '@rookery/contracts/statuses'
import type { Call, Client } from '@rookery/rpc'
import type { StoredAttachment } from '../../database/tables/status.ts'

/** Files to claim, and the types of those that the subject shows beside them, and has already. */
type Claim = { ownerId: string; ids: readonly string[]; subjectId: string; typesBeside?: readonly string[] }

/** Claims files for the status or profile that will show them; returns them in order. @throws Failure invalid in the contract's words */
export type AttachmentClaims = (call: Call, claim: Claim) => Promise<Attachment[]>

/** Claims files at the media service; no call if there are none. */
export const attachmentClaims = (attachments: Client<typeof AttachmentsDefinition>): AttachmentClaims => {
  return async (call, { typesBeside = [], ...claim }) =>
    claim.ids.length === 0 ? [] : (await attachments.claim(call, { ...claim, typesBeside })).attachments
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
