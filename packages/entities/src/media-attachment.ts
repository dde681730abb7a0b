import type { Attachment, Dimensions } from '@rookery/contracts/statuses'

const size = ({ width, height }: Dimensions) => ({ width, height, size: `${width}x${height}`, aspect: height ? width / height : 0 })

/** MediaAttachment (spec, Resources; beyond-the-spec 1.1). `isPending` hides the address of a file still being processed. */
export const mediaAttachmentEntity = (attachment: Attachment, { isPending = false } = {}) => ({
  id: attachment.id,
  type: attachment.type,
  url: isPending ? null : attachment.url || null,
  preview_url: attachment.previewUrl || null,
  remote_url: null,
  preview_remote_url: null,
  text_url: null,
  meta: {
    ...(attachment.focus ? { focus: { x: attachment.focus.x, y: attachment.focus.y } } : {}),
    ...(attachment.original ? { original: size(attachment.original) } : {}),
    ...(attachment.small ? { small: size(attachment.small) } : {}),
  },
  description: attachment.description || null,
  blurhash: attachment.blurhash || null,
})
