import type { AttachmentDescribed } from '@rookery/contracts/events'
import type { StoredAttachment } from '../../database/tables/status.ts'

/** How a preview is shown. */
export type StoredPreview = Pick<StoredAttachment, 'preview_url' | 'blurhash' | 'small'>

/** The preview of a display copy. */
export const storedPreview = ({ preview_url, blurhash, small }: StoredAttachment): StoredPreview => ({
  preview_url,
  blurhash,
  ...(small ? { small } : {}),
})

/** The preview that a file has now; undefined in events that do not say. */
export const previewOf = ({
  previewUrl,
  blurhash,
  previewWidth: width,
  previewHeight: height,
}: AttachmentDescribed): StoredPreview | undefined =>
  previewUrl ? { preview_url: previewUrl, blurhash, ...(width > 0 ? { small: { width, height } } : {}) } : undefined

/** What a described file says of itself now. */
export const descriptionOf = (event: AttachmentDescribed): Partial<StoredAttachment> => ({
  description: event.description,
  ...(event.hasFocus ? { focus: { x: event.focusX, y: event.focusY } } : {}),
  ...previewOf(event),
})

/** Whether files may be shown together: a film or a recording is shown alone (beyond-the-spec 1.10, Media). */
export const mayStandTogether = (files: readonly StoredAttachment[]): boolean =>
  files.length < 2 || !files.some(({ type }) => type === 'video' || type === 'audio')
