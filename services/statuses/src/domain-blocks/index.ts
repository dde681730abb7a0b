export { createDomainBlocksRpc } from './domain-blocks.rpc.ts'
