export { diskSpool, RECEIVED, type Spool, type SpooledFile } from './spool.ts'
export { maxBytes } from './taken-type.ts'
export { uploadAttachment } from './upload-attachment.ts'
