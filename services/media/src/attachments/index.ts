export { attachmentDescribed, type Description } from './attachment.events.ts'
export { endedBefore, faultsOf, unclaimedExpiry } from './attachment.rules.ts'
export type { Upload } from './attachments.rpc.ts'
