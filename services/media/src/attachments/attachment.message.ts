import { ProcessingState, type UploadedAttachment } from '@rookery/contracts/media'
import type { Attachment, Dimensions } from '@rookery/contracts/statuses'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import { MISSING_FILE } from '../storage/index.ts'

const dimensions = (width: number | null, height: number | null): Dimensions | undefined =>
  width === null || height === null ? undefined : { width, height }

/** The URLs under which the public fetches this server's own files, and files in general. */
export type Addresses = { baseUrl: string; filesUrl: string }

const urlOf = (key: string, { filesUrl }: Addresses) => `${filesUrl}/media/${key}`

const originalUrl = (row: Pick<AttachmentRow, 'originalKey'>, addresses: Addresses): string =>
  row.originalKey ? urlOf(row.originalKey, addresses) : `${addresses.baseUrl}/media/${MISSING_FILE}`

const isStill = ({ type }: Pick<AttachmentRow, 'type'>) => type === 'image' || type === 'unknown'

/** The URL of a file's preview: the original for an image without a smaller one; empty for audio without a cover. */
export const previewUrl = (row: Pick<AttachmentRow, 'type' | 'originalKey' | 'previewKey'>, addresses: Addresses): string => {
  if (row.previewKey) return urlOf(row.previewKey, addresses)
  return isStill(row) ? originalUrl(row, addresses) : ''
}

/** A record for statuses and its owner. A file without an original has the URL of a placeholder. */
export const attachmentMessage = (row: AttachmentRow, addresses: Addresses): Attachment => ({
  id: row.id,
  type: row.type,
  url: originalUrl(row, addresses),
  previewUrl: previewUrl(row, addresses),
  description: row.description,
  blurhash: row.blurhash ?? '',
  focus: row.focusX === null || row.focusY === null ? undefined : { x: row.focusX, y: row.focusY },
  original: dimensions(row.width, row.height),
  small: dimensions(row.previewWidth, row.previewHeight),
  bytes: row.originalBytes ?? undefined,
  motion: row.motion ? { ...row.motion, colors: row.motion.colors } : undefined,
})

const STATES = { pending: ProcessingState.PENDING, done: ProcessingState.DONE, failed: ProcessingState.FAILED }

/** A record for its owner. */
export const uploadedMessage = (row: AttachmentRow, addresses: Addresses): UploadedAttachment => ({
  attachment: attachmentMessage(row, addresses),
  state: STATES[row.state],
})
