export { createInboxRpc } from './inbox.rpc.ts'
