export { diskSpool } from './spool.ts'
export { uploadAttachment } from './upload-attachment.ts'
