export { diskSpool } from './spool.ts'
export { maxBytes, uploadAttachment } from './upload-attachment.ts'
