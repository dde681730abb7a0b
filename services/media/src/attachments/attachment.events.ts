import type { KeyedFact } from '@rookery/events'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import { type Addresses, previewUrl } from './attachment.message.ts'

/** What a file says of itself, and its preview. */
export const DESCRIPTION = [
  'id',
  'owner_id',
  'description',
  'focus_x',
  'focus_y',
  'original_key',
  'preview_key',
  'preview_width',
  'preview_height',
  'blurhash',
] as const

export type Description = Pick<AttachmentRow, (typeof DESCRIPTION)[number]>

/** The description, focus or preview of a file that a status shows was changed. */
export const attachmentDescribed = (row: Description, subjectId: string, addresses: Addresses): KeyedFact => ({
  key: row.owner_id,
  fact: {
    $case: 'attachmentDescribed',
    value: {
      mediaId: row.id,
      subjectId,
      description: row.description,
      focusX: row.focus_x ?? 0,
      focusY: row.focus_y ?? 0,
      hasFocus: row.focus_x !== null,
      previewUrl: previewUrl(row, addresses),
      blurhash: row.blurhash ?? '',
      previewWidth: row.preview_width ?? 0,
      previewHeight: row.preview_height ?? 0,
    },
  },
})
