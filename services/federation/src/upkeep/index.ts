export { federationOperatorHandler } from './operator.rpc.ts'
export { prune } from './prune.job.ts'
