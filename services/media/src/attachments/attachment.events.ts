import type { OutboxEvent } from '@rookery/events'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import { type Addresses, previewUrl } from './attachment.message.ts'

/** The columns that describe a file and its preview. */
export const DESCRIPTION = [
  'id',
  'ownerId',
  'type',
  'description',
  'focusX',
  'focusY',
  'originalKey',
  'previewKey',
  'previewWidth',
  'previewHeight',
  'blurhash',
] as const

export type Description = Pick<AttachmentRow, (typeof DESCRIPTION)[number]>

/** The event that the description, focus or preview of a file in a status changed. */
export const attachmentDescribed = (row: Description, subjectId: string, addresses: Addresses): OutboxEvent => ({
  key: row.ownerId,
  event: {
    $case: 'attachmentDescribed',
    value: {
      mediaId: row.id,
      subjectId,
      description: row.description,
      focusX: row.focusX ?? 0,
      focusY: row.focusY ?? 0,
      hasFocus: row.focusX !== null,
      previewUrl: previewUrl(row, addresses),
      blurhash: row.blurhash ?? '',
      previewWidth: row.previewWidth ?? 0,
      previewHeight: row.previewHeight ?? 0,
    },
  },
})

/** The event that a video or audio file was processed, or failed. */
export const attachmentProcessed = (row: Pick<AttachmentRow, 'id' | 'ownerId' | 'type'>, failure: string): OutboxEvent => ({
  key: row.ownerId,
  event: { $case: 'attachmentProcessed', value: { mediaId: row.id, ownerId: row.ownerId, type: row.type, failure } },
})
