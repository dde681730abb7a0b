import type { KeyedFact } from '@rookery/events'
import type { AttachmentRow } from '../database/tables/attachment.ts'

/** What a file says of itself. */
export type Description = Pick<AttachmentRow, 'id' | 'owner_id' | 'description' | 'focus_x' | 'focus_y'>

/** The description or focus of a file that a status shows was changed. */
export const attachmentDescribed = (row: Description, subjectId: string): KeyedFact => ({
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
    },
  },
})
