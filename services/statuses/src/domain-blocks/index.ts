export { domainName } from './domain.rules.ts'
export { createDomainBlocksRpc } from './domain-blocks.rpc.ts'
