import type { EventTables } from '@rookery/events'
import type { AttachmentTable } from '../attachments/attachment.tables.ts'
import type { DiscardedFileTable } from '../reaper/discarded-file.tables.ts'
import type { EndedSubjectTable } from '../reaper/ended-subject.tables.ts'

/** The tables of the schema `media`. */
export type MediaTables = EventTables & {
  attachment: AttachmentTable
  discarded_file: DiscardedFileTable
  ended_subject: EndedSubjectTable
}
