import type { AttachmentDescribed } from '@rookery/contracts/events'
import type { StoredAttachment } from '../../database/tables/status.ts'

/** The preview fields of a display copy. */
export type StoredPreview = Pick<StoredAttachment, 'preview_url' | 'blurhash' | 'small'>

/** The preview of a display copy. */
export const storedPreview = ({ preview_url, blurhash, small }: StoredAttachment): StoredPreview => ({
  preview_url,
  blurhash,
  ...(small ? { small } : {}),
})

/** The current preview of a file; undefined for events without one. */
export const previewOf = ({
  previewUrl,
  blurhash,
  previewWidth: width,
  previewHeight: height,
}: AttachmentDescribed): StoredPreview | undefined =>
  previewUrl ? { preview_url: previewUrl, blurhash, ...(width > 0 ? { small: { width, height } } : {}) } : undefined

/** The fields of a display copy that a description changes. */
export const descriptionOf = (event: AttachmentDescribed): Partial<StoredAttachment> => ({
  description: event.description,
  ...(event.hasFocus ? { focus: { x: event.focusX, y: event.focusY } } : {}),
  ...previewOf(event),
})
