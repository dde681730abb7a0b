export { discardUnnamed } from './discard-files.job.ts'
export { releaseAttachments } from './release-attachments.ts'
