export { createThreadsRpc } from './threads.rpc.ts'
