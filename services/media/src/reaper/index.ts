export { discardFiles } from './discard-files.job.ts'
export type { DiscardedFileTable } from './discarded-file.tables.ts'
export { reapAttachments } from './reap-attachments.job.ts'
export { reaper } from './reaper.consumer.ts'
