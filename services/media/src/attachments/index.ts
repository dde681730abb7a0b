export { attachmentDescribed, type Description } from './attachment.events.ts'
export { faultsOf, unclaimedExpiry } from './attachment.rules.ts'
export type { AttachmentRow, AttachmentTable } from './attachment.tables.ts'
export { attachmentsHandler, type Upload } from './attachments.rpc.ts'
