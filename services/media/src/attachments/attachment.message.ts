import { ProcessingState, type UploadedAttachment } from '@rookery/contracts/media'
import type { Attachment, Dimensions } from '@rookery/contracts/statuses'
import { MISSING_FILE } from '../storage/index.ts'
import type { AttachmentRow } from './attachment.tables.ts'

const dimensions = (width: number | null, height: number | null): Dimensions | undefined =>
  width === null || height === null ? undefined : { width, height }

/** A record as statuses and its owner see it. What has no file of its own has the address of a placeholder. */
export const attachmentMessage = (row: AttachmentRow, baseUrl: string): Attachment => {
  const original = row.original_key ?? MISSING_FILE
  return {
    id: row.id,
    type: row.type,
    url: `${baseUrl}/media/${original}`,
    previewUrl: `${baseUrl}/media/${row.preview_key ?? original}`,
    description: row.description,
    blurhash: row.blurhash ?? '',
    focus: row.focus_x === null || row.focus_y === null ? undefined : { x: row.focus_x, y: row.focus_y },
    original: dimensions(row.width, row.height),
    small: dimensions(row.preview_width, row.preview_height),
  }
}

const STATES = { pending: ProcessingState.PENDING, done: ProcessingState.DONE }

/** A record as its owner sees it. */
export const uploadedMessage = (row: AttachmentRow, baseUrl: string): UploadedAttachment => ({
  attachment: attachmentMessage(row, baseUrl),
  state: STATES[row.state],
})
