export { type AttachmentClaims, attachmentClaims, storedAttachment } from './attachment-claims.ts'
export { type AttachmentReleases, attachmentReleases } from './attachment-releases.ts'
export { hasCopyOf, withCopyChanged } from './display-copy.predicates.ts'
export { descriptionOf, previewOf, type StoredPreview, storedPreview } from './display-copy.ts'
export { pictureParts } from './picture-parts.ts'
export {
  emojiWithOwnAddresses,
  filesOf,
  filesOfEmojis,
  type RemoteFileAddresses,
  remoteFileAddresses,
  withOwnAddresses,
} from './remote-files.ts'
