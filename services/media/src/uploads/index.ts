export { diskSpool } from './spool.ts'
export { maxBytes } from './taken-type.ts'
export { uploadAttachment } from './upload-attachment.ts'
