export { addressRecipient } from './address-recipient.ts'
export { endMutesJob } from './end-mutes.job.ts'
export { createGraphRpc } from './graph.rpc.ts'
export { hasBlocked } from './graph.store.ts'
