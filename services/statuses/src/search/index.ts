export { createSearchRpc } from './search.rpc.ts'
