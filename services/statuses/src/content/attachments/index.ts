export { type AttachmentClaims, attachmentClaims, storedAttachment } from './attachment-claims.ts'
export { type AttachmentReleases, attachmentReleases } from './attachment-releases.ts'
