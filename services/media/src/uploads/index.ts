export { maxBytes } from './accepted-type.ts'
export { diskSpool, RECEIVED, type Spool, type SpooledFile } from './spool.ts'
export { uploadAttachment } from './upload-attachment.ts'
