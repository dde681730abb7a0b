import type { EventTables } from '@rookery/events'
import type { AttachmentTable } from './tables/attachment.ts'
import type { DiscardedFileTable } from './tables/discarded-file.ts'
import type { EndedSubjectTable } from './tables/ended-subject.ts'

/** The tables of the schema `media`. */
export type MediaTables = EventTables & {
  attachment: AttachmentTable
  discardedFile: DiscardedFileTable
  endedSubject: EndedSubjectTable
}
