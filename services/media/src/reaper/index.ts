export { discardUnnamed, requestDiscarding } from './discard-files.job.ts'
export { releaseAttachments } from './release-attachments.ts'
