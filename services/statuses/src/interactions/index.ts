export { createInteractionsRpc } from './interactions.rpc.ts'
