export { announceEdits } from './announce-edits.consumer.ts'
export { createEditsRpc } from './edits.rpc.ts'
