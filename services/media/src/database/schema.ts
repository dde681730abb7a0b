import type { EventTables } from '@rookery/events'
import type { AttachmentTable } from '../attachments/index.ts'
import type { DiscardedFileTable } from '../reaper/index.ts'

/** The tables of the schema `media`. */
export type MediaTables = EventTables & { attachment: AttachmentTable; discarded_file: DiscardedFileTable }
