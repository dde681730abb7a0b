export { operatorRpc } from './operator.rpc.ts'
